// 棋桌上只有有些时候才出现的词句：确认、答复、候选、文字模式、标记、保存复盘；用到时才读取。
import type { Seat } from '../api/generated.ts';
import { seats } from './zh-Hans.names.ts';

/** 棋桌的旁句。 */
export const aside = {
  skipConfirm: (n: number) => `这一步不走，直接换下一家？每人每局最多跳过 5 次，你还剩 ${n} 次。`,
  drawConfirm: '向所有在席玩家求和？全部同意才和棋，积分不变；走子计时不停。每回合只能提一次。',
  drawOffer: (seat: Seat) => `${seats[seat]}方求和`,
  drawOwn: '你已求和，等其他人答复',
  drawAccepted: (list: Seat[]) =>
    list.length ? `已同意：${list.map((s) => seats[s]).join('、')}` : '还没有人答复',
  drawPending: (list: Seat[]) => `待答复：${list.map((s) => seats[s]).join('、')}`,
  accept: '同意',
  decline: '不同意',
  surrenderConfirm: '个人投降会淘汰本席，棋子全部离盘，但不算离席：队友若最后赢了，你也算赢。确定投降？',
  teamConfirm: (points: number) =>
    `向队友提议团队投降？队友同意后棋局立即结束，你们两人各 ${points} 分，对方不加分。对方不会知道这个提议。`,
  teamOffer: (points: number) => `队友提议团队投降（每人 ${points} 分）`,
  teamAgree: (points: number) => `同意后棋局立即结束：你方认输，每人 ${points} 分。`,
  teamOwn: '已向队友提议团队投降',
  withdraw: '撤回',
  leaveConfirm: (points: number) => `离席立即扣 ${points} 分，而且不能再回到本局。席位会空出，等别人接手。`,
  leaveTyped: (points: number) => `确认离席，扣 ${points} 分`,
  candidate: {
    heading: (seat: Seat) => `${seats[seat]}方空席的候选`,
    text: '看公开棋面和行动，想好再接手。多人可同时看，先确认成功的人接手。接手后首步 3 小时，以后每回合 16 小时。',
    deadline: (when: string) => `接手截止：${when}`,
    confirm: '正式接手',
    confirmText: '正式接手后席位就是你的：首步须在 3 小时内走，离席或超时扣 9 分。现在接手？',
    withdraw: '退出候选',
    withdrawText: '退出候选不扣分，但本局的残局匹配机会不返还。',
    gone: '这个席位已有人接手，或等待已结束',
  },
  text: {
    own: '我的可走棋子',
    targets: (piece: string) => `${piece}可到`,
    others: '其他棋子',
    list: (seat: Seat, n: number) => `${seats[seat]}方，${n} 子`,
    last: (s: string) => `上一步：${s}`,
  },
  dark: '棋桌页面终局后也不揭开暗子。完整复盘是另存的文件。',
  marks: {
    heading: (seat: Seat) => `${seats[seat]}方暗子的标记`,
    hint: '只有你看得到，与真实身份无关；换人后不继承。',
    signs: ['?', '!', '大', '小'],
    none: '去掉标记',
    colour: '颜色',
    own: '自己写，最多 40 个字',
    set: '标上',
  },
  save: {
    button: '保存复盘到本地',
    saved: (name: string) => `已下载 ${name}，请自己保管`,
    until: (when: string) => `服务器保留到 ${when}，之后自动清理。`,
    gone: '服务器上的棋谱已过保存期。',
    next: '在首页“导入复盘”打开它，文件不会上传。',
  },
};

/** 其余语言须有同样的条目。 */
export type AsideWords = typeof aside;
export default aside;
