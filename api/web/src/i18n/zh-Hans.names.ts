// 名称：席位、棋子、行动与规则，各处词句共用。
import type { ActionKind, EliminationCause, Piece, Seat, Side } from '../api/generated.ts';

/** 四席。 */
export const seats: Record<Seat, string> = { S: '南', E: '东', N: '北', W: '西' };
/** 两方。 */
export const sides: Record<Side, string> = { RED: '赤方', BLUE: '蓝方' };

/** 棋子全称。 */
export const names: Record<Piece, string> = {
  COMMANDER: '司令',
  GENERAL: '军长',
  MAJOR_GENERAL: '师长',
  BRIGADIER: '旅长',
  COLONEL: '团长',
  MAJOR: '营长',
  CAPTAIN: '连长',
  LIEUTENANT: '排长',
  ENGINEER: '工兵',
  BOMB: '炸弹',
  MINE: '地雷',
  FLAG: '军旗',
};
/** 一个字的棋子名。 */
export const short: Record<Piece, string> = {
  COMMANDER: '司',
  GENERAL: '军',
  MAJOR_GENERAL: '师',
  BRIGADIER: '旅',
  COLONEL: '团',
  MAJOR: '营',
  CAPTAIN: '连',
  LIEUTENANT: '排',
  ENGINEER: '工',
  BOMB: '炸',
  MINE: '雷',
  FLAG: '旗',
};

/** 淘汰原因。 */
export const causes: Record<EliminationCause, string> = {
  FLAG_CAPTURED: '军旗被夺',
  NO_MOVES: '无棋可走',
  SURRENDER: '投降',
};

/** 棋位。 */
export const kinds = { station: '兵站', camp: '行营', headquarters: '大本营' };
/** 九宫，从西北起逐行。 */
export const palace = [
  '西北星位',
  '北边宫',
  '东北星位',
  '西边宫',
  '中宫',
  '东边宫',
  '西南星位',
  '南边宫',
  '东南星位',
];

/** 一段时间，取最大的两个单位。 */
export function span(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} 天 ${hours % 24} 小时`;
  if (hours >= 1) return minutes % 60 ? `${hours} 小时 ${minutes % 60} 分` : `${hours} 小时`;
  return `${minutes} 分钟`;
}

/** 行动。 */
export const actions: Record<ActionKind, string> = {
  DEADLINE_MOVED: '服务中断，时限顺延',
  DRAW_AGREED: '和棋成立',
  DRAW_LAPSED: '求和结束',
  DRAW_OFFERED: '求和',
  DRAW_VOTED: '答复求和',
  ENDED: '终局',
  LEFT: '离席',
  MOVED: '走子',
  OPENED: '开桌',
  POSITION_PLACED: '摆放局面',
  READY: '完成调度',
  READY_TAKEN_BACK: '撤回准备',
  RECORD_EXPIRED: '棋谱保存期已过',
  RELEASE_MOVED: '服务中断，释放时间顺延',
  SEAT_ELIMINATED: '淘汰',
  SEAT_RELEASED: '席位释放',
  SEAT_TAKEN: '入座',
  SEAT_TAKEN_OVER: '正式接手',
  SEAT_VACATED: '席位空出',
  SKIPPED: '跳过',
  STARTED: '开局',
  SURRENDERED: '个人投降',
  TAKEOVER_WAIT_EXPIRED: '接手等待期满',
  TAKEOVER_WAIT_OPENED: '等待接手',
  TEAM_SURRENDER_CONFIRMED: '团队投降',
  TIMED_OUT: '超时',
  TURN_STARTED: '轮到',
  VOIDED: '管理员终止',
};
