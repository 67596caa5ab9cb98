// 復盤頁面的詞句。

// 選錯檔案時說：要的是什麼，現在怎麼辦。
const wrong = '請選本站儲存的復盤，檔名以 .yibu-replay.json 結尾：終局的棋桌上或終局郵件裡都有。';
// 檔案對、內容不對時說。
const hurt = '檔案可能損壞或被改過，請從終局的棋桌或終局郵件重新取一份。';

/** 復盤。 */
export const replay = {
  heading: '復盤',
  open: '選擇復盤檔案',
  drop: '也可以把檔案拖到這裡',
  intro: '讀取自己儲存的 .yibu-replay.json。檔案只在這臺裝置上讀取，不會上傳，也不加入任何棋譜庫。',
  formats: '支援第 1 版與第 2 版，單個檔案不超過 10 MiB。',
  another: '換一個檔案',
  play: '播放',
  stop: '停止',
  back: '後退一步',
  forward: '前進一步',
  toStart: '回到開局',
  toEnd: '到終局',
  position: '進度',
  speed: '速度',
  times: (n: number) => `${n} 倍`,
  step: (n: number, total: number) => `第 ${n} / ${total} 步`,
  turnBoard: '轉動棋盤',
  perspective: '視角',
  show: (name: string) => `揭開${name}的棋子`,
  hide: (name: string) => `蓋住${name}的棋子`,
  openAll: '全明',
  events: '人員與事件',
  moves: '全部行動',
  noEvents: '這份檔案沒有事件記錄',
  initial: '初始棋面',
  missing: {
    heading: '這份檔案缺少一些資料',
    identities: (n: number) => `${n} 枚棋子沒有身份，以暗子顯示。`,
    people: '沒有暱稱與人員事件。',
  },
  broken: (n: number, text: string) => `只能看到第 ${n} 步之前：${text}。之後的不顯示。`,
  why: {
    NOT_A_PIECE: (at: string) => `${at} 沒有棋子`,
    NOT_ITS_TURN: (at: string) => `${at} 的棋子不屬於行動方`,
    ILLEGAL: (at: string) => `${at} 的走法不合規則`,
    WRONG_ROUTE: (at: string) => `${at} 記錄的路線與規則不符`,
    WRONG_OUTCOME: (at: string) => `${at} 記錄的戰鬥結果與規則不符`,
    WRONG_IDENTITY: (at: string) => `${at} 記錄的身份與初始棋面不符`,
    WRONG_ELIMINATION: (at: string) => `${at} 方的淘汰與棋面不符`,
    WRONG_END: (_at: string) => '結局與棋面不符',
    AFTER_END: () => '終局之後還有行動',
    UNKNOWN_RESULT: (at: string) => `${at} 的戰鬥沒有記錄結果，之後的棋面無從得知`,
  },
  fault: {
    TOO_LARGE: () => `檔案超過 10 MiB，沒有讀取。${wrong}`,
    NOT_UTF8: () => `檔案不是 UTF-8 文本，可能已損壞或不是復盤檔案。${wrong}`,
    NOT_JSON: (where: string) => `檔案不是合法的 JSON（${where}）。${wrong}`,
    TOO_DEEP: () => `檔案巢狀超過 32 層，沒有讀取。${wrong}`,
    NOT_A_REPLAY: () => `這不是復盤檔案：缺少 "format": "yibu-replay"。${wrong}`,
    VERSION: (where: string) =>
      `不認識的版本：${where}。本頁能讀第 1 版與第 2 版。檔案若來自更新的版本，請重新整理網頁再試。`,
    FIELD: (where: string) => `${where} 缺失或內容不對。${hurt}`,
    POSITION: (where: string) => `${where} 不是棋盤上的位置。${hurt}`,
    PIECE: (where: string) => `${where} 不是已知的棋子。${hurt}`,
    TOO_MANY: (where: string) => `${where} 的棋子超過 25 枚。${hurt}`,
    FORMATION: (where: string) => `${where} 不是合規的佈陣：枚數或位置不對。${hurt}`,
    COUNT: (where: string) => `${where} 與檔案裡的事件對不上：檔案不完整，或被改過。${hurt}`,
    TWICE: (where: string) => `${where} 放了兩枚棋子。${hurt}`,
  },
  keyHelp: '空格播放或停止，左右鍵單步，Home/End 到首尾',
  takenOver: (name: string) => `${name} 正式接手`,
};
