// What a file that cannot be so is told: the server's codes, and which of them a false event deserves.
import type { Deed } from './complete.ts';

/** Why a file cannot be followed any further. */
export type Why =
  | 'NOT_A_PIECE'
  | 'NOT_ITS_TURN'
  | 'ILLEGAL'
  | 'WRONG_ROUTE'
  | 'WRONG_OUTCOME'
  | 'WRONG_IDENTITY'
  | 'WRONG_REMOVAL'
  | 'WRONG_REVEAL'
  | 'WRONG_ELIMINATION'
  | 'WRONG_TURN'
  | 'WRONG_PERSON'
  | 'OUT_OF_PLACE'
  | 'WRONG_VOTE'
  | 'WRONG_END'
  | 'WRONG_SETTLEMENT'
  | 'UNKNOWN_RESULT'
  | 'AFTER_END'
  | 'UNFINISHED'
  | 'OUT_OF_ORDER';

/** The first contradiction. */
export class Stop extends Error {
  constructor(
    readonly why: Why,
    readonly at = '',
  ) {
    super(why);
  }
}

/** Whether two values of a file are the same; the order of fields is no part of it. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => same(a[name as keyof typeof a], b[name as keyof typeof b]))
  );
}

const VOTES = ['draw_lapsed', 'draw_agreed', 'draw_offered'];
const CLOCKS = ['turn_started', 'takeover_wait_opened'];
const PEOPLE = ['left', 'timed_out', 'seat_vacated', 'surrendered', 'seat_taken_over'];

/** What is wrong with `told`, where `ruled` is what happens by the rules. */
export function differs(ruled: Deed, told: Deed): Why {
  const kinds = [ruled.kind, told.kind];
  if (kinds.every((kind) => kind === 'moved')) return movesDiffer(ruled, told);
  if (kinds.includes('seat_eliminated')) {
    const one = kinds[0] === kinds[1] && ruled.seat === told.seat && ruled.cause === told.cause;
    return one ? 'WRONG_REMOVAL' : 'WRONG_ELIMINATION';
  }
  if (kinds.includes('ended')) return 'WRONG_END';
  if (kinds.some((kind) => VOTES.includes(kind))) return 'WRONG_VOTE';
  if (CLOCKS.includes(ruled.kind)) return 'WRONG_TURN';
  return PEOPLE.includes(ruled.kind) ? 'WRONG_PERSON' : 'OUT_OF_PLACE';
}

function movesDiffer(ruled: Deed, told: Deed): Why {
  const other = (...fields: string[]) => fields.some((field) => !same(ruled[field], told[field]));
  if (other('route')) return 'WRONG_ROUTE';
  if (other('attacker', 'defender', 'start')) return 'WRONG_IDENTITY';
  if (other('outcome')) return 'WRONG_OUTCOME';
  if (other('removed')) return 'WRONG_REMOVAL';
  return other('revealed', 'captured') ? 'WRONG_REVEAL' : 'NOT_ITS_TURN';
}
