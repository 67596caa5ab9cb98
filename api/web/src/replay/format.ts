// What a replay file holds, version 2 and version 1, after its form was checked. Identities and people may be missing
// in version 1 and are null then: nothing is made up.
import type { Piece, Seat } from '../board/nodes.ts';
import type { Complete } from './complete.ts';

/** A piece of the initial position. */
export interface Initial {
  at: string;
  seat: Seat;
  piece: Piece | null;
}

/** Someone who sat in a seat. */
export interface Participant {
  seat: Seat;
  /** A house player (陪练). */
  house: boolean;
  /** The nickname at the time of taking the seat; null when it was erased. */
  nickname: string | null;
  joined: 'full' | 'takeover';
  joinedAt: string | null;
  leftAt: string | null;
  leftWhy: string | null;
}

/** One thing that happened. Which fields are there depends on the kind. */
export interface FileEvent {
  kind: string;
  at: string | null;
  seat: Seat | null;
  from: string | null;
  to: string | null;
  route: readonly string[] | null;
  outcome: 'none' | 'attacker' | 'defender' | 'both' | null;
  /** Flags that a move made public, where the file tells. */
  revealed: readonly [Seat, string][] | null;
  attacker: Piece | null;
  defender: Piece | null;
  /** Cause of a fall, reason of a lapse, kind of a turn. */
  why: string | null;
  accept: boolean | null;
  points: number | null;
  side: 'RED' | 'BLUE' | null;
}

/** A line of the settlement. */
export interface Settled {
  seat: Seat;
  nickname: string | null;
  /** A house player (陪练). */
  house: boolean;
  takeover: boolean;
  result: string;
  points: number;
}

/** How the match ended, as the file says. */
export interface FileOutcome {
  kind: string;
  side: 'RED' | 'BLUE' | null;
  by: string | null;
}

/** A replay file. */
export interface ReplayFile {
  version: 1 | 2;
  matchId: string | null;
  startedAt: string | null;
  endedAt: string | null;
  initial: readonly Initial[];
  participants: readonly Participant[];
  events: readonly FileEvent[];
  outcome: FileOutcome | null;
  settlement: readonly Settled[];
  /** The document itself, which the rules are asked about; version 1 tells too little for that. */
  complete: Complete | null;
}

/** The most that is read of one file: 10 MiB. */
export const MOST_BYTES = 10 * 1024 * 1024;

/** Why a file is not read, and where. */
export type FaultCode =
  | 'TOO_LARGE'
  | 'NOT_UTF8'
  | 'NOT_JSON'
  | 'TOO_DEEP'
  | 'NOT_A_REPLAY'
  | 'VERSION'
  | 'FIELD'
  | 'EXTRA'
  | 'POSITION'
  | 'PIECE'
  | 'TOO_MANY'
  | 'FORMATION'
  | 'COUNT';

/** A file that is not read. */
export class FileFault extends Error {
  constructor(
    readonly code: FaultCode,
    readonly where = '',
  ) {
    super(`${code} ${where}`);
  }
}
