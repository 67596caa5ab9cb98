// 布阵的词句，布阵时才读取。
import type { FormationRule } from '../api/generated.ts';

// 布阵规则。
const rules: Record<FormationRule, string> = {
  BOMB_IN_FRONT_ROW: '炸弹不能放在最前排',
  FLAG_NOT_IN_HEADQUARTERS: '军旗必须在大本营',
  MINE_NOT_IN_LAST_TWO_ROWS: '地雷只能放在最后两排',
  POSITION_EMPTY: '此处没有棋子',
  POSITION_IN_CAMP: '行营不能布子',
  POSITION_NOT_OWN: '不是本席的棋位',
  UNKNOWN_PIECE: '不认识的棋子',
  WRONG_COUNT: '枚数不对',
};

/** 布阵。 */
export const deploy = {
  leaveFree: '离开这张棋桌？还没开局，不扣分，可以重新匹配。',
  heading: '布阵',
  hint: '点两枚棋子互换，或直接拖动；圆点是可以换的位置',
  hintText: '先选一枚自己的棋子，再选与它互换的那一枚',
  ready: '完成调度',
  unready: '撤回，再调整',
  random: '随机',
  import: '导入',
  export: '导出',
  saved: '阵型库',
  save: '保存当前阵型',
  nameIt: '阵型名称',
  apply: '使用',
  remove: '删除',
  none: '还没有保存的阵型。它们只留在这个浏览器里。',
  importHint: '支持 .yibu-formation.json、QQ 的 .jql、SIGUOSET 文本与 layout= 文本',
  applied: '阵型已送到服务器',
  counts: '这个阵型不是完整的 25 枚，没有使用。请换一个。',
  savedAs: (name: string) => `已保存“${name}”`,
  defaultName: (n: number) => `阵型 ${n}`,
  broken: '这样不合规则：',
  rule: (rule: FormationRule, at: string) => `${at}：${rules[rule]}`,
};

/** 其余语言须有同样的条目。 */
export type DeployWords = typeof deploy;
export default deploy;
