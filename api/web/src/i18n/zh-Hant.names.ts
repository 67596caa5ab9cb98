// 名稱：席位、棋子、行動與規則，各處詞句共用。
import type { ActionKind, EliminationCause, Piece, Seat, Side } from '../api/generated.ts';

/** 四席。 */
export const seats: Record<Seat, string> = { S: '南', E: '東', N: '北', W: '西' };
/** 兩方。 */
export const sides: Record<Side, string> = { RED: '赤方', BLUE: '藍方' };

/** 棋子全稱。 */
export const names: Record<Piece, string> = {
  COMMANDER: '司令',
  GENERAL: '軍長',
  MAJOR_GENERAL: '師長',
  BRIGADIER: '旅長',
  COLONEL: '團長',
  MAJOR: '營長',
  CAPTAIN: '連長',
  LIEUTENANT: '排長',
  ENGINEER: '工兵',
  BOMB: '炸彈',
  MINE: '地雷',
  FLAG: '軍旗',
};
/** 一個字的棋子名。 */
export const short: Record<Piece, string> = {
  COMMANDER: '司',
  GENERAL: '軍',
  MAJOR_GENERAL: '師',
  BRIGADIER: '旅',
  COLONEL: '團',
  MAJOR: '營',
  CAPTAIN: '連',
  LIEUTENANT: '排',
  ENGINEER: '工',
  BOMB: '炸',
  MINE: '雷',
  FLAG: '旗',
};

/** 淘汰原因。 */
export const causes: Record<EliminationCause, string> = {
  FLAG_CAPTURED: '軍旗被奪',
  NO_MOVES: '無棋可走',
  SURRENDER: '投降',
};

/** 棋位。 */
export const kinds = { station: '兵站', camp: '行營', headquarters: '大本營' };
/** 九宮，從西北起逐行。 */
export const palace = [
  '西北星位',
  '北邊宮',
  '東北星位',
  '西邊宮',
  '中宮',
  '東邊宮',
  '西南星位',
  '南邊宮',
  '東南星位',
];

/** 一段時間，取最大的兩個單位。 */
export function span(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} 天 ${hours % 24} 小時`;
  if (hours >= 1) return minutes % 60 ? `${hours} 小時 ${minutes % 60} 分` : `${hours} 小時`;
  return `${minutes} 分鐘`;
}

/** 行動。 */
export const actions: Record<ActionKind, string> = {
  DEADLINE_MOVED: '服務中斷，時限順延',
  DRAW_AGREED: '和棋成立',
  DRAW_LAPSED: '求和結束',
  DRAW_OFFERED: '求和',
  DRAW_VOTED: '答覆求和',
  ENDED: '終局',
  LEFT: '離席',
  MOVED: '走子',
  OPENED: '開桌',
  POSITION_PLACED: '擺放局面',
  READY: '完成調度',
  READY_TAKEN_BACK: '撤回準備',
  RECORD_EXPIRED: '棋譜保存期已過',
  RELEASE_MOVED: '服務中斷，釋放時間順延',
  SEAT_ELIMINATED: '淘汰',
  SEAT_RELEASED: '席位釋放',
  SEAT_TAKEN: '入座',
  SEAT_TAKEN_OVER: '正式接手',
  SEAT_VACATED: '席位空出',
  SKIPPED: '跳過',
  STARTED: '開局',
  SURRENDERED: '個人投降',
  TAKEOVER_WAIT_EXPIRED: '接手等待期滿',
  TAKEOVER_WAIT_OPENED: '等待接手',
  TEAM_SURRENDER_CONFIRMED: '團隊投降',
  TIMED_OUT: '超時',
  TURN_STARTED: '輪到',
  VOIDED: '管理員終止',
};
