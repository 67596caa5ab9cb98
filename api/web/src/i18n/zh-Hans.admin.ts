// 管理页面的词句。
import type { LinkKind, Phase, ProjectionState } from '../api/generated.ts';

/** 管理。 */
export const admin = {
  heading: '管理',
  done: '已生效，并记入日志',
  find: '查找',
  reason: '理由',
  reasonHint: '小写字母、数字与下划线，最多 40 个，例如 broken_match。永久留在日志里。',
  health: {
    heading: '运行状况',
    refresh: '刷新',
    waiting: '待寄邮件',
    delayed: '重试中',
    oldest: '最早一封',
    none: '无',
    sent: '一天内寄出',
    failed: '一天内失败',
    overdue: '逾期未判',
    latest: '最大迟延',
    projections: '读模型',
    name: '名称',
    state: '状态',
    position: '位置',
    states: { IDLE: '未运行', RUNNING: '运行中', FOLLOWING: '跟随', STOPPED: '已停' } as Record<
      ProjectionState,
      string
    >,
    lag: '落后',
    seconds: (n: number) => `${n} 秒`,
  },
  site: {
    heading: '站点设置',
    change: (name: string) => `改${name}`,
    set: '生效',
    limits: '同时局数上限',
    limitsNow: (full: number, takeover: number) => `完整匹配 ${full}，残局接手 ${takeover}`,
    limitsHint: '0 至 100；0 停止该类新匹配，不影响已入座的棋局。',
    full: '完整匹配',
    takeover: '残局接手',
    wait: '普通邮件等待',
    waitHint: '1 至 1440 分钟',
    minutes: (n: number) => `${n} 分钟`,
    release: '未完成调度的释放',
    releaseHint: '四人到齐后多少小时，最多 720；0 表示从不。只对之后开的桌有效。',
    hours: (n: number) => (n ? `${n} 小时` : '从不'),
    announcement: '公告',
    announcementHint: '所有人页面顶部都会看到，最多 500 字；留空则撤下。',
    nothing: '无',
  },
  match: {
    heading: '查找棋局',
    id: '棋局编号，或棋桌网址',
    missing: '没有这局棋',
    phases: { ASSEMBLING: '布阵中', PLAYING: '进行中', ENDED: '已结束' } as Record<Phase, string>,
    started: (when: string) => `开局 ${when}`,
    ended: (when: string) => `结束 ${when}`,
    void: '无胜负终止本局',
    voidSure: '终止后本局无胜负结束，不能撤销。确定终止？',
  },
  player: {
    heading: '查找棋手',
    by: '编号、邮箱或昵称',
    missing: '没有这位棋手',
    suspended: '已停用',
    since: (when: string) => `注册于 ${when}`,
    linked: '关联账号',
    alone: '没有共用设备或网络的账号。',
    shares: (by: LinkKind, when: string) => `${by === 'DEVICE' ? '同一设备' : '同一网络'}，最近 ${when}`,
    suspend: '停用账号',
    suspendHint: '登录立即结束，所有席位按离席处理。',
    suspendSure: '停用后该账号的席位都按离席处理。确定停用？',
    reinstate: '恢复账号',
    adjust: '调整积分',
    points: '加减多少分',
  },
  trail: { heading: '操作记录', empty: '还没有操作记录。', operator: '服务器', more: '更早的记录' },
};

/** 其余语言须有同样的条目。 */
export type AdminWords = typeof admin;
export default admin;
