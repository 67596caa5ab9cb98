// @vitest-environment node
// The referee against the contract's full games: every ply's legal moves, route, outcome, reveals, falls and next turn.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Piece, Seat } from '../src/board/nodes.ts';
import { routesFrom, type Unit } from '../src/replay/moves.ts';
import { Referee } from '../src/replay/referee.ts';

const VECTORS = join(import.meta.dirname, '../../../tests/vectors/siguo');

interface Ply {
  seat: string;
  n: number;
  h: string;
  act: 'move' | 'skip' | 'surrender';
  from: string;
  to: string;
  route: string[];
  out: string;
  reveal?: [string, string][];
  elim?: [string, string][];
  next: string | null;
  board: string;
}
interface Game {
  index: number;
  options: { order: string; seats: string; both_stuck: string; no_loss_draw: number | null };
  first: string;
  formations: Record<string, Record<string, string>>;
  plies: Ply[];
}

const seat = (letter: string) => letter.toUpperCase() as Seat;
const hash = (list: string[]) =>
  createHash('sha256').update(list.sort().join(',')).digest('hex').slice(0, 16);

function start(game: Game): Referee {
  const pieces = Object.entries(game.formations).flatMap(([of, formation]) =>
    Object.entries(formation).map(([at, piece]): [string, Unit] => [
      at,
      { handle: at, seat: seat(of), piece: piece.toUpperCase() as Piece },
    ]),
  );
  return new Referee(pieces, seat(game.first));
}

function legal(referee: Referee, of: Seat): string[] {
  const moves: string[] = [];
  for (const [at, unit] of referee.field) {
    if (unit.seat === of) for (const to of routesFrom(referee.field, at).keys()) moves.push(`${at}-${to}`);
  }
  return moves;
}

const games = gunzipSync(readFileSync(join(VECTORS, 'games.jsonl.gz')))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Game)
  .filter(
    ({ options: o }) =>
      o.order === 'ccw' && o.seats === 'senw' && o.both_stuck === 'no_result' && !o.no_loss_draw,
  );

describe('the referee', () => {
  it('knows enough games', () => expect(games.length).toBeGreaterThan(80));

  it('agrees with every ply of the full games', () => {
    for (const game of games) {
      const referee = start(game);
      for (const [i, ply] of game.plies.entries()) {
        const where = `game ${game.index} ply ${i}`;
        expect(referee.turn, where).toBe(seat(ply.seat));
        const moves = legal(referee, seat(ply.seat));
        expect(moves.length, where).toBe(ply.n);
        if (i % 10 === 0) expect(hash(moves), where).toBe(ply.h);
        const verdict =
          ply.act === 'move'
            ? referee.move(ply.from, ply.to)
            : ply.act === 'skip'
              ? referee.skip()
              : referee.surrender(seat(ply.seat));
        expect(verdict, where).not.toBeNull();
        if (ply.act === 'move') {
          expect(verdict?.route, where).toEqual(ply.route);
          expect(verdict?.outcome, where).toBe(ply.out);
          expect(
            verdict?.revealed.map(([of, at]) => [of.toLowerCase(), at]),
            where,
          ).toEqual(ply.reveal);
        }
        expect(
          verdict?.fallen.map(([of, cause]) => [of.toLowerCase(), cause]),
          where,
        ).toEqual(ply.elim ?? []);
        expect(referee.turn?.toLowerCase() ?? null, where).toBe(ply.next);
        const board = [...referee.field].map(
          ([at, unit]) => `${at}:${unit.seat.toLowerCase()}:${unit.piece?.toLowerCase()}`,
        );
        if (i % 10 === 0 || ply.next === null) expect(hash(board), where).toBe(ply.board);
      }
    }
  }, 120_000);
});
