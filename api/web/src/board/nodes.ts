// The 129 positions: ids, kinds, places on the 17 × 17 grid. Data and nothing else; pixels are in `tracks.ts`.
import type { Seat } from '../api/generated.ts';

export type { Piece, Seat } from '../api/generated.ts';

/** The seats in the order of play, counter-clockwise from the bottom. */
export const SEATS: readonly Seat[] = ['S', 'E', 'N', 'W'];

/** What a position is. */
export type Kind = 'station' | 'camp' | 'headquarters';

/** A position of the board. */
export interface Node {
  readonly id: string;
  /** Its place in the board's table: areas s, e, n, w by row and column, then the centre. */
  readonly index: number;
  /** Whose area; null in the centre. */
  readonly seat: Seat | null;
  readonly row: number;
  readonly col: number;
  /** Grid, growing east. */
  readonly x: number;
  /** Grid, growing south. */
  readonly y: number;
  readonly kind: Kind;
}

const CAMPS = new Set(['22', '24', '33', '42', '44']);
const HEADQUARTERS = new Set(['62', '64']);

/** What a position of an area is, by its row and column. */
export function kindAt(row: number, col: number): Kind {
  const key = `${row}${col}`;
  if (CAMPS.has(key)) return 'camp';
  return HEADQUARTERS.has(key) ? 'headquarters' : 'station';
}

const PLACE: Record<Seat, (row: number, col: number) => [number, number]> = {
  S: (row, col) => [5 + col, 10 + row],
  E: (row, col) => [10 + row, 11 - col],
  N: (row, col) => [11 - col, 6 - row],
  W: (row, col) => [6 - row, 5 + col],
};

function build(): Node[] {
  const nodes: Node[] = [];
  for (const seat of SEATS) {
    for (let row = 1; row <= 6; row += 1) {
      for (let col = 1; col <= 5; col += 1) {
        const [x, y] = PLACE[seat](row, col);
        nodes.push({
          id: nodeId(seat, row, col),
          index: nodes.length,
          seat,
          row,
          col,
          x,
          y,
          kind: kindAt(row, col),
        });
      }
    }
  }
  for (let row = 1; row <= 3; row += 1) {
    for (let col = 1; col <= 3; col += 1) {
      const place = { x: 4 + 2 * col, y: 4 + 2 * row };
      nodes.push({
        id: `c${row}${col}`,
        index: nodes.length,
        seat: null,
        row,
        col,
        ...place,
        kind: 'station',
      });
    }
  }
  return nodes;
}

/** The id of a position of an area. */
export const nodeId = (seat: Seat, row: number, col: number): string => `${seat.toLowerCase()}${row}${col}`;

/** All positions in index order. */
export const NODES: readonly Node[] = build();

const BY_ID = new Map(NODES.map((node) => [node.id, node]));

/** The position of an id; undefined for what is none. */
export const nodeOf = (id: string): Node | undefined => BY_ID.get(id);

/** The seat so many places after another one. */
export function seatAfter(seat: Seat, steps: number): Seat {
  return SEATS[(SEATS.indexOf(seat) + steps + 4) % 4] as Seat;
}

/** The side of a seat. */
export const sideOf = (seat: Seat): 'RED' | 'BLUE' => (seat === 'S' || seat === 'N' ? 'RED' : 'BLUE');
