// What a formation is, seat-relative, and where a piece may stand. The server judges; this only helps not to ask in vain.
import { kindAt, type Piece } from '../board/nodes.ts';
import { KINDS } from '../board/pieces.ts';

/** A piece on its row and column. */
export interface Placed {
  row: number;
  col: number;
  piece: Piece;
}

/** The 25 positions that are filled, by row and column. */
export const PLACES: readonly { row: number; col: number }[] = Array.from({ length: 30 }, (_, i) => ({
  row: Math.floor(i / 5) + 1,
  col: (i % 5) + 1,
})).filter(({ row, col }) => kindAt(row, col) !== 'camp');

/** Whether a piece may stand there at the start. */
export function mayStand(piece: Piece, row: number, col: number): boolean {
  if (piece === 'FLAG') return kindAt(row, col) === 'headquarters';
  if (piece === 'MINE') return row >= 5;
  return piece !== 'BOMB' || row !== 1;
}

/** Whether two pieces may change places. */
export const maySwap = (a: Placed, b: Placed): boolean =>
  mayStand(a.piece, b.row, b.col) && mayStand(b.piece, a.row, a.col);

/** Whether pieces are a whole formation: every place once, every kind as often as it is there. */
export function isWhole(pieces: readonly Placed[]): boolean {
  const places = new Set(pieces.map(({ row, col }) => row * 10 + col));
  return (
    pieces.length === 25 &&
    PLACES.every(({ row, col }) => places.has(row * 10 + col)) &&
    KINDS.every(([kind, count]) => pieces.filter(({ piece }) => piece === kind).length === count)
  );
}

/** A random legal formation: flag, mines and bombs first, each among the places that it may have. */
export function randomFormation(pick: (below: number) => number = secure): Placed[] {
  const free = [...PLACES];
  const placed: Placed[] = [];
  const kinds = [...KINDS].sort(([a], [b]) => CAREFUL.indexOf(b) - CAREFUL.indexOf(a));
  for (const [piece, count] of kinds) {
    for (let i = 0; i < count; i += 1) {
      const open = free.filter(({ row, col }) => mayStand(piece, row, col));
      const place = open[pick(open.length)];
      if (!place) return randomFormation(pick);
      free.splice(free.indexOf(place), 1);
      placed.push({ ...place, piece });
    }
  }
  return placed;
}

/** The kinds that may not stand everywhere, the freest first. */
const CAREFUL: readonly Piece[] = ['BOMB', 'MINE', 'FLAG'];

function secure(below: number): number {
  const limit = 2 ** 32 - (2 ** 32 % below);
  for (;;) {
    const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (value < limit) return value % below;
  }
}
