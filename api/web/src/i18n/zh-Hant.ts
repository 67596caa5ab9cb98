// 繁體中文。與簡體逐條對應。
import type { Piece, Seat } from '../api/generated.ts';
import type { Messages } from './zh-Hans.ts';
import { kinds, names, palace, seats, short, sides, span } from './zh-Hant.names.ts';
import { table } from './zh-Hant.table.ts';

/** 全部詞句。 */
const messages: Messages = {
  title: '異步四國軍棋',
  brand: '異步',
  nav: {
    login: '登入',
    lobby: '大廳',
    replay: '復盤',
    manual: '手冊',
    notices: (n: number) => (n ? `通知，${n} 則未讀` : '通知'),
    settings: '設定',
    home: '首頁',
    main: '主選單',
    skip: '跳到內容',
  },
  seats,
  sides,
  pieces: { names, long: names, short },
  span,
  common: {
    cancel: '取消',
    close: '關閉',
    loading: '正在讀取…',
    retry: '再試一次',
    lost: '連線斷開，正在重新連線。棋面可能不是最新的。',
    unreachable: '連不上伺服器。請檢查網路後再試。',
    missing: '沒有這個頁面',
    missingHint: '網址可能寫錯了，或頁面已經不在。',
    dismiss: '知道了',
    house: '陪練',
    erased: '已註銷',
    after: (seconds: number) => `約 ${span(seconds * 1000)}後可再試。`,
  },
  board: {
    campSeal: '營',
    label: (seat: Seat) =>
      `棋盤，${seats[seat]}方在下。方向鍵移動，Enter 選擇，Esc 放下，N 找下一枚可選的棋子，T 讀出去處，0 到 5 縮放。`,
    place: (seat: Seat | null, row: number, col: number) =>
      seat ? `${seats[seat]}${row}排${col}列` : (palace[(row - 1) * 3 + col - 1] ?? ''),
    kind: kinds,
    empty: '空',
    hidden: (seat: Seat) => `${seats[seat]}方暗子`,
    own: (piece: Piece) => `自己的${names[piece]}`,
    known: (seat: Seat, piece: Piece) => `${seats[seat]}方${names[piece]}`,
    marked: (mark: string) => `標記「${mark}」`,
    colours: { VIOLET: '紫', RED: '紅', BLUE: '藍', GREEN: '綠', AMBER: '黃' },
    canMove: '可走',
    canSwap: (piece: Piece) =>
      `可${{ FLAG: '與另一大本營的棋子', MINE: '與後兩排的棋子', BOMB: '與前排以外的棋子' }[piece as string] ?? ''}互換`,
    target: '可到',
    attack: '可攻擊',
    selected: '已選中',
    chosen: '目標',
    swap: '可交換',
    zoom: '放大',
    regions: { all: '全圖', bottom: '下方區域', right: '右家', top: '對面', left: '左家', centre: '九宮' },
    join: '，',
  },
  table,
};

export default messages;
