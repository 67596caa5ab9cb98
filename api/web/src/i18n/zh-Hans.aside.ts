// 棋桌上只有有些时候才出现的词句：确认、答复、候选、文字模式、标记、保存复盘；用到时才读取。
import type { Seat } from '../api/generated.ts';
import { seats } from './zh-Hans.names.ts';

/** 棋桌的旁句。 */
export const aside = {
  /** 几句话之间。 */
  stop: '。',
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
  teamConfirm: (points: string) =>
    `向队友提议团队投降？队友同意后棋局立即结束，你们两人各 ${points} 分，对方不加分。对方不会知道这个提议。`,
  teamOffer: (points: string) => `队友提议团队投降（每人 ${points} 分）`,
  teamAgree: (points: string) => `同意后棋局立即结束：你方认输，对方不加分，你们每人 ${points} 分。`,
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
    seats: '四家',
    own: '我的可走棋子',
    targets: (piece: string, n: number) => `${piece}可到 ${n} 处`,
    swaps: (piece: string) => `${piece}可与这些互换`,
    rest: (n: number) => `我的其他棋子，现在不能走：${n} 子`,
    wait: (n: number) => `还没轮到你，我的棋子都要等：${n} 子`,
    others: '别家的棋子',
    list: (seat: Seat, who: string, n: number) => `${seats[seat]}方（${who}），${n} 子`,
    mark: '选一枚暗子，可以给它写只有自己看得到的标记。',
    last: (seat: Seat, move: string) => `上一步：${seats[seat]}方，${move}`,
  },
  idle: {
    never: (piece: string) => `${piece}不能走`,
    headquarters: (piece: string) => `大本营里的棋子不能走：${piece}`,
    blocked: (piece: string) => `${piece}现在没有可走的位置`,
    wait: (piece: string) => `还没轮到你，${piece}要等轮到时再走`,
  },
  battle: {
    takes: (piece: string, other: Seat) => `你的${piece}吃掉了${seats[other]}方棋子`,
    falls: (piece: string, other: Seat) => `你的${piece}撞上${seats[other]}方棋子，阵亡`,
    holds: (piece: string, other: Seat) => `你的${piece}挡住了${seats[other]}方棋子`,
    taken: (piece: string, other: Seat) => `你的${piece}被${seats[other]}方棋子吃掉`,
    both: (piece: string, other: Seat) => `你的${piece}与${seats[other]}方棋子同归于尽`,
  },
  first: {
    heading: '第一次来？',
    deploy:
      '每席 25 枚：军旗在大本营，地雷在最后两排，炸弹不在最前排，行营留空。调整好后点“完成调度”，四人都好就开局。',
    play: '轮到你时点自己的棋子，亮起的就是能去的地方；点目标，看清下面那句话，再确认。圆点是空位，角标是可攻击的棋子。',
  },
  gone: {
    notFound: '没有这张棋桌，或它与你无关',
    notFoundHint: '候选机会用过、或棋局属于别人，都会看到这里。',
    over: '候选已结束',
    overHint: '席位已有人接手，或棋局已结束。',
  },
  fair: '公平抽签',
  fairText: '先手、席位和初始阵型由开桌时就封存的种子抽出。下面是种子的 BLAKE3 承诺，终局后可核对。',
  next: { record: '我的战绩', again: '匹配新局', lobby: '回大厅' },
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
    until: (when: string) => `服务器保留到 ${when}。存好后在“复盘”页打开，不会上传。`,
    gone: '服务器上的棋谱已过保存期。',
  },
};

/** 其余语言须有同样的条目。 */
export type AsideWords = typeof aside;
export default aside;
