// Names: seats, pieces, actions and rules, shared by the other files of English.
import type { ActionKind, EliminationCause, Piece, Seat, Side } from '../api/generated.ts';

/** The seats. */
export const seats: Record<Seat, string> = { S: 'South', E: 'East', N: 'North', W: 'West' };
/** The sides. */
export const sides: Record<Side, string> = { RED: 'Red', BLUE: 'Blue' };

/** Pieces in full. */
export const names: Record<Piece, string> = {
  COMMANDER: 'commander',
  GENERAL: 'general',
  MAJOR_GENERAL: 'major general',
  BRIGADIER: 'brigadier',
  COLONEL: 'colonel',
  MAJOR: 'major',
  CAPTAIN: 'captain',
  LIEUTENANT: 'lieutenant',
  ENGINEER: 'engineer',
  BOMB: 'bomb',
  MINE: 'mine',
  FLAG: 'flag',
};
/** Pieces on large tiles. */
export const long: Record<Piece, string> = {
  COMMANDER: 'Cmd',
  GENERAL: 'Gen',
  MAJOR_GENERAL: 'MjG',
  BRIGADIER: 'Brg',
  COLONEL: 'Col',
  MAJOR: 'Maj',
  CAPTAIN: 'Cpt',
  LIEUTENANT: 'Ltn',
  ENGINEER: 'Eng',
  BOMB: 'Bmb',
  MINE: 'Min',
  FLAG: 'Flg',
};
/** Pieces on small tiles: the strength, 9 is strongest. */
export const short: Record<Piece, string> = {
  COMMANDER: '9',
  GENERAL: '8',
  MAJOR_GENERAL: '7',
  BRIGADIER: '6',
  COLONEL: '5',
  MAJOR: '4',
  CAPTAIN: '3',
  LIEUTENANT: '2',
  ENGINEER: '1',
  BOMB: 'B',
  MINE: 'M',
  FLAG: 'F',
};

/** Why a seat fell. */
export const causes: Record<EliminationCause, string> = {
  FLAG_CAPTURED: 'flag captured',
  NO_MOVES: 'no legal move',
  SURRENDER: 'surrendered',
};

/** Kinds of positions. */
export const kinds = { station: 'station', camp: 'camp', headquarters: 'headquarters' };
/** The nine palace by rows from the north-west. */
export const palace = [
  'palace NW',
  'palace N',
  'palace NE',
  'palace W',
  'palace centre',
  'palace E',
  'palace SW',
  'palace S',
  'palace SE',
];

/** A span of time in its two largest units. */
export function span(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours >= 1) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${minutes} min`;
}

/** Actions. */
export const actions: Record<ActionKind, string> = {
  DEADLINE_MOVED: 'outage, deadline moved',
  DRAW_AGREED: 'the draw is agreed',
  DRAW_LAPSED: 'draw offer ended',
  DRAW_OFFERED: 'offers a draw',
  DRAW_VOTED: 'answers the draw offer',
  ENDED: 'end',
  LEFT: 'leaves',
  MOVED: 'moves',
  OPENED: 'table opened',
  POSITION_PLACED: 'position placed',
  READY: 'ready',
  READY_TAKEN_BACK: 'not ready after all',
  RECORD_EXPIRED: 'record expired',
  RELEASE_MOVED: 'outage, release moved',
  SEAT_ELIMINATED: 'eliminated',
  SEAT_RELEASED: 'seat released',
  SEAT_TAKEN: 'sits down',
  SEAT_TAKEN_OVER: 'takes over',
  SEAT_VACATED: 'seat vacant',
  SKIPPED: 'skips',
  STARTED: 'start',
  SURRENDERED: 'surrenders',
  TAKEOVER_WAIT_EXPIRED: 'nobody took over in time',
  TAKEOVER_WAIT_OPENED: 'waits for a takeover',
  TEAM_SURRENDER_CONFIRMED: 'team surrender',
  TIMED_OUT: 'timed out',
  TURN_STARTED: 'turn',
  VOIDED: 'ended by an administrator',
};
