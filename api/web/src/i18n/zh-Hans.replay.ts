// 复盘页面的词句。

// 选错文件时说：要的是什么，现在怎么办。
const wrong = '请选本站保存的复盘，文件名以 .yibu-replay.json 结尾：终局的棋桌上或终局邮件里都有。';
// 文件对、内容不对时说。
const hurt = '文件可能损坏或被改过，请从终局的棋桌或终局邮件重新取一份。';

/** 复盘。 */
export const replay = {
  heading: '复盘',
  open: '选择复盘文件',
  drop: '也可以把文件拖到这里',
  intro: '读取自己保存的 .yibu-replay.json。文件只在这台设备上读取，不会上传，也不加入任何棋谱库。',
  formats: '支持第 1 版与第 2 版，单个文件不超过 10 MiB。',
  another: '换一个文件',
  play: '播放',
  stop: '停止',
  back: '后退一步',
  forward: '前进一步',
  toStart: '回到开局',
  toEnd: '到终局',
  position: '进度',
  speed: '速度',
  times: (n: number) => `${n} 倍`,
  step: (n: number, total: number) => `第 ${n} / ${total} 步`,
  turnBoard: '转动棋盘',
  perspective: '视角',
  show: (name: string) => `揭开${name}的棋子`,
  hide: (name: string) => `盖住${name}的棋子`,
  openAll: '全明',
  events: '人员与事件',
  moves: '全部行动',
  noEvents: '这份文件没有事件记录',
  initial: '初始棋面',
  missing: {
    heading: '这份文件缺少一些资料',
    identities: (n: number) => `${n} 枚棋子没有身份，以暗子显示。`,
    people: '没有昵称与人员事件。',
  },
  broken: (n: number, text: string) => `只能看到第 ${n} 步之前：${text}。之后的不显示。`,
  why: {
    NOT_A_PIECE: (at: string) => `${at} 没有棋子`,
    NOT_ITS_TURN: (at: string) => `${at} 的棋子不属于行动方`,
    ILLEGAL: (at: string) => `${at} 的走法不合规则`,
    WRONG_ROUTE: (at: string) => `${at} 记录的路线与规则不符`,
    WRONG_OUTCOME: (at: string) => `${at} 记录的战斗结果与规则不符`,
    WRONG_IDENTITY: (at: string) => `${at} 记录的身份与初始棋面不符`,
    WRONG_ELIMINATION: (at: string) => `${at} 方的淘汰与棋面不符`,
    WRONG_END: (_at: string) => '结局与棋面不符',
    AFTER_END: () => '终局之后还有行动',
    UNKNOWN_RESULT: (at: string) => `${at} 的战斗没有记录结果，之后的棋面无从得知`,
  },
  fault: {
    TOO_LARGE: () => `文件超过 10 MiB，没有读取。${wrong}`,
    NOT_UTF8: () => `文件不是 UTF-8 文本，可能已损坏或不是复盘文件。${wrong}`,
    NOT_JSON: (where: string) => `文件不是合法的 JSON（${where}）。${wrong}`,
    TOO_DEEP: () => `文件嵌套超过 32 层，没有读取。${wrong}`,
    NOT_A_REPLAY: () => `这不是复盘文件：缺少 "format": "yibu-replay"。${wrong}`,
    VERSION: (where: string) =>
      `不认识的版本：${where}。本页能读第 1 版与第 2 版。文件若来自更新的版本，请刷新网页再试。`,
    FIELD: (where: string) => `${where} 缺失或内容不对。${hurt}`,
    POSITION: (where: string) => `${where} 不是棋盘上的位置。${hurt}`,
    PIECE: (where: string) => `${where} 不是已知的棋子。${hurt}`,
    TOO_MANY: (where: string) => `${where} 的棋子超过 25 枚。${hurt}`,
    FORMATION: (where: string) => `${where} 不是合规的布阵：枚数或位置不对。${hurt}`,
    COUNT: (where: string) => `${where} 与文件里的事件对不上：文件不完整，或被改过。${hurt}`,
    TWICE: (where: string) => `${where} 放了两枚棋子。${hurt}`,
  },
  keyHelp: '空格播放或停止，左右键单步，Home/End 到首尾',
  takenOver: (name: string) => `${name} 正式接手`,
};
