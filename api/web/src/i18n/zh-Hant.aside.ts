// 棋桌上只有有些時候才出現的詞句：確認、答覆、候選、文字模式、標記、儲存復盤；用到時才讀取。
import type { Seat } from '../api/generated.ts';
import type { AsideWords } from './zh-Hans.aside.ts';
import { seats } from './zh-Hant.names.ts';

const aside: AsideWords = {
  /** 幾句話之間。 */
  stop: '。',
  skipConfirm: (n: number) => `這一步不走，直接換下一家？每人每局最多跳過 5 次，你還剩 ${n} 次。`,
  drawConfirm: '向所有在席玩家求和？全部同意才和棋，積分不變；走子計時不停。每回合只能提一次。',
  drawOffer: (seat: Seat) => `${seats[seat]}方求和`,
  drawOwn: '你已求和，等其他人答覆',
  drawAccepted: (list: Seat[]) =>
    list.length ? `已同意：${list.map((s) => seats[s]).join('、')}` : '還沒有人答覆',
  drawPending: (list: Seat[]) => `待答覆：${list.map((s) => seats[s]).join('、')}`,
  accept: '同意',
  decline: '不同意',
  surrenderConfirm: '個人投降會淘汰本席，棋子全部離盤，但不算離席：隊友若最後贏了，你也算贏。確定投降？',
  teamConfirm: (points: string) =>
    `向隊友提議團隊投降？隊友同意後棋局立即結束，你們兩人各 ${points} 分，對方不加分。對方不會知道這個提議。`,
  teamOffer: (points: string) => `隊友提議團隊投降（每人 ${points} 分）`,
  teamAgree: (points: string) => `同意後棋局立即結束：你方認輸，對方不加分，你們每人 ${points} 分。`,
  teamOwn: '已向隊友提議團隊投降',
  withdraw: '撤回',
  leaveConfirm: (points: number) => `離席立即扣 ${points} 分，而且不能再回到本局。席位會空出，等別人接手。`,
  leaveTyped: (points: number) => `確認離席，扣 ${points} 分`,
  candidate: {
    heading: (seat: Seat) => `${seats[seat]}方空席的候選`,
    text: '看公開棋面和行動，想好再接手。多人可同時看，先確認成功的人接手。接手後首步 3 小時，以後每回合 16 小時。',
    deadline: (when: string) => `接手截止：${when}`,
    confirm: '正式接手',
    confirmText: '正式接手後席位就是你的：首步須在 3 小時內走，離席或超時扣 9 分。現在接手？',
    withdraw: '退出候選',
    withdrawText: '退出候選不扣分，但本局的殘局匹配機會不返還。',
    gone: '這個席位已有人接手，或等待已結束',
  },
  text: {
    seats: '四家',
    own: '我的可走棋子',
    targets: (piece: string, n: number) => `${piece}可到 ${n} 處`,
    swaps: (piece: string) => `${piece}可與這些互換`,
    rest: (n: number) => `我的其他棋子，現在不能走：${n} 子`,
    wait: (n: number) => `還沒輪到你，我的棋子都要等：${n} 子`,
    others: '別家的棋子',
    list: (seat: Seat, who: string, n: number) => `${seats[seat]}方（${who}），${n} 子`,
    mark: '選一枚暗子，可以給它寫只有自己看得到的標記。',
    last: (seat: Seat, move: string) => `上一步：${seats[seat]}方，${move}`,
  },
  idle: {
    never: (piece: string) => `${piece}不能走`,
    headquarters: (piece: string) => `大本營裡的棋子不能走：${piece}`,
    blocked: (piece: string) => `${piece}現在沒有可走的位置`,
    wait: (piece: string) => `還沒輪到你，${piece}要等輪到時再走`,
  },
  battle: {
    takes: (piece: string, other: Seat) => `你的${piece}吃掉了${seats[other]}方棋子`,
    falls: (piece: string, other: Seat) => `你的${piece}撞上${seats[other]}方棋子，陣亡`,
    holds: (piece: string, other: Seat) => `你的${piece}擋住了${seats[other]}方棋子`,
    taken: (piece: string, other: Seat) => `你的${piece}被${seats[other]}方棋子吃掉`,
    both: (piece: string, other: Seat) => `你的${piece}與${seats[other]}方棋子同歸於盡`,
  },
  first: {
    heading: '第一次來？',
    deploy:
      '每席 25 枚：軍旗在大本營，地雷在最後兩排，炸彈不在最前排，行營留空。調整好後點「完成調度」，四人都好就開局。',
    play: '輪到你時點自己的棋子，亮起的就是能去的地方；點目標，看清下面那句話，再確認。圓點是空位，角標是可攻擊的棋子。',
  },
  gone: {
    notFound: '沒有這張棋桌，或它與你無關',
    notFoundHint: '候選機會用過、或棋局屬於別人，都會看到這裡。',
    over: '候選已結束',
    overHint: '席位已有人接手，或棋局已結束。',
  },
  fair: '公平抽籤',
  fairText: '先手、席位和初始陣型由開桌時就封存的種子抽出。下面是種子的 BLAKE3 承諾，終局後可核對。',
  next: { record: '我的戰績', again: '匹配新局', lobby: '回大廳' },
  dark: '棋桌頁面終局後也不揭開暗子。完整復盤是另存的檔案。',
  marks: {
    heading: (seat: Seat) => `${seats[seat]}方暗子的標記`,
    hint: '只有你看得到，與真實身份無關；換人後不繼承。',
    signs: ['?', '!', '大', '小'],
    none: '去掉標記',
    colour: '顏色',
    own: '自己寫，最多 40 個字',
    set: '標上',
  },
  save: {
    button: '儲存復盤到本機',
    saved: (name: string) => `已下載 ${name}，請自己保管`,
    until: (when: string) => `伺服器保留到 ${when}。存好後在「復盤」頁開啟，不會上傳。`,
    gone: '伺服器上的棋譜已過保存期。',
  },
};

export default aside;
