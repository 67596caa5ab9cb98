// 设置里与账号有关的词句：昵称、邮箱、密码、登录、提醒邮件、资料。
import type { ReminderKind, ReminderMode } from '../api/generated.ts';

/** 账号。 */
export const account = {
  heading: '账号',
  since: (when: string) => `注册于 ${when}`,
  save: '保存',
  saved: '已保存',
  nickname: {
    heading: '昵称',
    left: (n: number) =>
      n ? `任意 365 天内最多改两次，还可以改 ${n} 次。` : '任意 365 天内最多改两次，已经用完。',
    again: (when: string) => `${when} 起可以再改。`,
    change: '改昵称',
  },
  email: {
    heading: '邮箱',
    now: (email: string) => `现在是 ${email}`,
    fresh: '新邮箱',
    send: '寄验证码到新邮箱',
    sent: (email: string) => `验证码已寄往 ${email}。`,
    change: '换成新邮箱',
    done: '邮箱已换，其他设备的登录已结束',
  },
  password: {
    heading: '密码',
    current: '当前密码',
    fresh: '新密码',
    change: '改密码',
    done: '密码已改，其他设备的登录已结束',
  },
  locale: {
    heading: '邮件语言',
    names: { ZH_HANS: '简体中文', ZH_HANT: '繁體中文', EN: 'English' },
  },
  logout: '退出账号',
  logoutHint: '只结束登录，不退出已入座的棋局。',
  sessions: {
    heading: '登录中的设备',
    here: '这台设备',
    unknown: '未知设备',
    seen: (when: string) => `最近使用 ${when}`,
    network: (text: string) => `网络 ${text}`,
    end: '结束',
    endOthers: '结束其他所有登录',
    ended: (n: number) => `已结束 ${n} 个登录`,
    alone: '只有这台设备登录着。',
  },
  reminders: {
    heading: '走棋邮件',
    modes: {
      SMART: ['智能提醒', '合并多桌，普通邮件间隔至少 2 小时，每天最多 3 封；临期再提醒一次。'],
      DEADLINE_ONLY: ['仅临期', '只在剩余不到 1 小时时寄一封。'],
      OFF: ['关闭', '不寄走棋邮件。验证码与安全邮件照常。'],
    } as Record<ReminderMode, [string, string]>,
    from: '从',
    to: '到',
    window: '收信时段',
    windowHint: '开始与结束相同表示全天；22:00 到 08:00 表示跨夜。时段外的邮件等到下个时段再看是否还要寄。',
    zone: '所在时区',
    upcoming: '接下来会寄',
    none: '现在没有要寄的走棋邮件。',
    what: (kind: ReminderKind, tables: number) =>
      ({ NORMAL: `催棋，${tables} 桌`, DEADLINE: `临期，${tables} 桌`, TIMED_OUT: `超时结果，${tables} 桌` })[
        kind
      ],
    table: '棋桌',
  },
  data: {
    heading: '我的资料',
    export: '导出我的资料',
    exportHint: '下载服务器保存的、关于你的全部资料（JSON）。',
    remove: '注销账号',
    removeHint: '注销不能撤销。代价如下：',
    removeCosts: [
      '进行中的棋局全部按离席处理：每局扣 9 分，不能再回来，空席由别人接手；未开局的席位释放，不扣分；候选资格作废。',
      '结束的棋局不能再看，复盘不再寄送；要留的请先保存。',
      '昵称、密码、设置、通知、私人标记与所有登录都抹去，昵称别人可以再用。棋局与复盘里只显示“已注销”；积分与战绩离开排行榜，不能找回。',
      '邮箱抹去前会收到一封确认信，之后不再收到任何邮件。同一邮箱可以重新注册，一切从头开始。',
    ],
    removeSure: (held: number) =>
      held
        ? `你还占着 ${held} 席：进行中的每局扣 9 分，未开局的不扣分。注销后账号无法恢复。确定注销？`
        : '你现在没有占着的席位，不会扣分。注销后账号无法恢复。确定注销？',
    removed: '账号已注销',
  },
};

/** 其余语言须有同样的条目。 */
export type AccountWords = typeof account;
export default account;
