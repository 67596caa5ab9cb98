// @vitest-environment node
// Looking back: the public actions alone give the board of the past, with the own identities and no others.
import { expect, it } from 'vitest';
import type { ActionFragment, TableFragment } from '../src/api/generated.ts';
import { boardAt } from '../src/pages/table/lookback.ts';

const move = (from: string, to: string, more: object = {}) =>
  ({
    from,
    to,
    handle: from,
    route: [from, to],
    outcome: 'NONE',
    met: null,
    revealed: [],
    ...more,
  }) as unknown as ActionFragment['move'];
const act = (version: number, kind: string, more: object = {}) =>
  ({ version, kind, move: null, ...more }) as ActionFragment;
const view = { myPieces: [{ handle: 's15', identity: 'COLONEL', at: 'c33' }] } as unknown as TableFragment;

it('replays moves, battles, reveals and falls', () => {
  const met = { handle: 'e11', seat: 'E', identity: null };
  const actions = [
    act(1, 'OPENED'),
    act(2, 'STARTED'),
    act(3, 'MOVED', { seat: 'S', move: move('s15', 'c33') }),
    act(4, 'MOVED', {
      seat: 'N',
      move: move('n11', 'e15', {
        outcome: 'BOTH',
        met: { ...met, handle: 'e15' },
        revealed: [{ seat: 'N', at: 'n62' }],
      }),
    }),
    act(5, 'SEAT_ELIMINATED', { seat: 'W' }),
  ];
  expect(boardAt(actions, 1, view).pieces).toHaveLength(0);
  expect(boardAt(actions, 2, view).pieces).toHaveLength(100);
  const third = boardAt(actions, 3, view);
  expect(third.pieces.find((piece) => piece.at === 'c33')).toMatchObject({ seat: 'S', identity: 'COLONEL' });
  expect(third.route).toEqual(['s15', 'c33']);
  const fourth = boardAt(actions, 4, view);
  expect(fourth.pieces).toHaveLength(98);
  expect(fourth.pieces.filter((piece) => piece.identity !== null && piece.seat !== 'S')).toEqual([
    { handle: 'n62', at: 'n62', seat: 'N', identity: 'FLAG' },
  ]);
  const now = {
    ...view,
    ...{ turn: {}, myTurn: true, myPieces: [{ handle: 's15', identity: 'COLONEL', at: null }] },
    seats: [
      { seat: 'N', piecesLeft: 3, eliminated: null },
      { seat: 'W', piecesLeft: 0, eliminated: 'SURRENDER' },
    ],
  } as unknown as TableFragment;
  const seen = fourth.seen(now);
  expect(seen).toMatchObject({ turn: null, myTurn: false, lastMove: { from: 'n11' } });
  expect(seen.seats).toMatchObject([
    { piecesLeft: 24, eliminated: null },
    { piecesLeft: 25, eliminated: null },
  ]);
  expect(seen.myPieces[0]?.at).toBe('c33');
  expect(boardAt(actions, 5, view).seen(now).seats[1]).toMatchObject({
    piecesLeft: 0,
    eliminated: 'SURRENDER',
  });
  expect(boardAt(actions, 5, view).pieces.some((piece) => piece.seat === 'W')).toBe(false);
});
