// 简体中文。这里是词句的样板：其余语言须逐条对应。
import type { Piece, Seat } from '../api/generated.ts';
import { kinds, names, palace, seats, short, sides, span } from './zh-Hans.names.ts';
import { table } from './zh-Hans.table.ts';

/** 全部词句。 */
export const messages = {
  title: '异步四国军棋',
  brand: '异步',
  nav: {
    login: '登录',
    lobby: '大厅',
    replay: '复盘',
    manual: '手册',
    notices: (n: number) => (n ? `通知，${n} 条未读` : '通知'),
    settings: '设置',
    home: '首页',
    main: '主导航',
    skip: '跳到正文',
  },
  seats,
  sides,
  pieces: { names, long: names, short },
  span,
  common: {
    cancel: '取消',
    close: '关闭',
    loading: '正在读取…',
    retry: '再试一次',
    lost: '连接断开，正在重新连接。棋面可能不是最新的。',
    unreachable: '连不上服务器。请检查网络后再试。',
    missing: '没有这个页面',
    missingHint: '地址可能写错了，或页面已经不在。',
    dismiss: '知道了',
    house: '陪练',
    erased: '已注销',
    after: (seconds: number) => `约 ${span(seconds * 1000)}后可再试。`,
  },
  board: {
    campSeal: '营',
    label: (seat: Seat) =>
      `棋盘，${seats[seat]}方在下。方向键移动，回车选择，Esc 放下，N 找下一枚可选的棋子，T 读出去处，0 到 5 缩放。`,
    place: (seat: Seat | null, row: number, col: number) =>
      seat ? `${seats[seat]}${row}排${col}列` : (palace[(row - 1) * 3 + col - 1] ?? ''),
    kind: kinds,
    empty: '空',
    hidden: (seat: Seat) => `${seats[seat]}方暗子`,
    own: (piece: Piece) => `自己的${names[piece]}`,
    known: (seat: Seat, piece: Piece) => `${seats[seat]}方${names[piece]}`,
    marked: (mark: string) => `标记“${mark}”`,
    colours: { VIOLET: '紫', RED: '红', BLUE: '蓝', GREEN: '绿', AMBER: '黄' },
    canMove: '可走',
    canSwap: (piece: Piece) =>
      `可${{ FLAG: '与另一大本营的棋子', MINE: '与后两排的棋子', BOMB: '与前排以外的棋子' }[piece as string] ?? ''}互换`,
    target: '可到',
    attack: '可攻击',
    selected: '已选中',
    chosen: '目标',
    swap: '可交换',
    zoom: '放大',
    regions: { all: '全图', bottom: '下方区域', right: '右家', top: '对面', left: '左家', centre: '九宫' },
    join: '，',
  },
  table,
};

/** 其余语言须有同样的条目。 */
export type Messages = typeof messages;
export default messages;
