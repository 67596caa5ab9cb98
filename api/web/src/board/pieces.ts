// What pieces are called on the board, and what the board draws of one. Words of sentences are in i18n.
import type { MarkColour, Piece, Seat } from '../api/generated.ts';

/** A piece as the board draws it. */
export interface Shown {
  /** Never changes: the board keeps its element by it. */
  readonly handle: string;
  readonly at: string;
  readonly seat: Seat;
  /** Null for a piece that lies face down. */
  readonly identity: Piece | null;
  /** What the person wrote on its back. */
  readonly mark?: string | undefined;
  /** In which colour; alone it is a mark, too. */
  readonly colour?: MarkColour | null | undefined;
}

/** The kinds from the strongest, then what has no rank; with how many a formation has. */
export const KINDS: readonly [Piece, number][] = [
  ['COMMANDER', 1],
  ['GENERAL', 1],
  ['MAJOR_GENERAL', 2],
  ['BRIGADIER', 2],
  ['COLONEL', 2],
  ['MAJOR', 2],
  ['CAPTAIN', 3],
  ['LIEUTENANT', 3],
  ['ENGINEER', 3],
  ['BOMB', 2],
  ['MINE', 3],
  ['FLAG', 1],
];

/** The glyph of a seat's backs: form tells the seats apart where colour does not. */
export const GLYPHS: Record<Seat, string> = {
  S: 'M-1-1H1V1H-1Z',
  N: 'M0-1.1L1.2 1H-1.2Z',
  E: 'M0-1.1A1.1 1.1 0 1 1 0 1.1A1.1 1.1 0 1 1 0-1.1Z',
  W: 'M0-1.35L1.35 0L0 1.35L-1.35 0Z',
};
