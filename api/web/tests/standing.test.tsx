// Commands whose answers are lost, or refuse what another window of the same person had done: what a snapshot shows to
// stand is no failure.
import { render } from '@testing-library/preact';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AnswerTeamSurrenderDocument,
  ArrangeFormationDocument,
  LeaveDocument,
  MovePieceDocument,
  OfferDrawDocument,
  ReadyDocument,
  SkipTurnDocument,
  SwapPiecesDocument,
  type TableFragment,
  VoteDrawDocument,
} from '../src/api/generated.ts';
import { speak } from '../src/i18n/index.ts';
import { TableModel } from '../src/pages/table/model.ts';
import { stands } from '../src/pages/table/standing.ts';
import { change } from '../src/settings.ts';
import { Toasts } from '../src/ui/toasts.tsx';

const view = (version: number, more: object = {}) =>
  ({
    ...{ version, privateVersion: 1, now: '2026-01-05T08:00:00.000Z', phase: 'PLAYING', mySeat: 'S' },
    ...{ myTurn: true, lastMove: null, turn: { number: 3, drawOffered: false }, seats: [], mySkipsLeft: 5 },
    ...{ legalMoves: [{ from: 's12', to: ['s22'] }], board: [], drawOffer: null, outcome: null },
    ...more,
  }) as unknown as TableFragment;
const move = { seat: 'S', from: 's12', to: 's22', turn: 3, outcome: 'NONE', revealed: [], captured: null };

beforeAll(async () => {
  change({ language: 'en', confirmMoves: true });
  await speak();
});
let model: TableModel;
let page: HTMLElement;
beforeEach(() => {
  page = render(<Toasts />).container as HTMLElement;
  model = new TableModel('m');
});
afterEach(() => {
  model.close();
  vi.unstubAllGlobals();
});

describe('a move', () => {
  it('that a snapshot shows is over, whatever becomes of its answers', async () => {
    let lose = () => {};
    const lost = new Promise<never>((_, fail) => {
      lose = () => fail(new Error('late'));
    });
    vi.stubGlobal('fetch', () => lost);
    model.take(view(5));
    model.selected.value = 's12';
    model.chosen.value = 's22';
    const moved = model.move();
    expect(model.pending.value).toEqual(['s12', 's22']);
    model.take(view(6, { myTurn: false, turn: { number: 4 }, lastMove: move, legalMoves: [] }));
    await moved;
    expect(model.pending.value).toBeNull();
    expect(model.selected.value).toBeNull();
    lose();
    await Promise.resolve();
    expect(page.querySelectorAll('.toast')).toHaveLength(0);
  });

  it('that somebody followed already is found among the actions; another one is not', () => {
    const before = view(5);
    const now = view(7, { turn: { number: 5 }, lastMove: { ...move, seat: 'E', turn: 4 } });
    const input = { from: 's12', to: 's22' };
    const known = { before, now, gone: false };
    const actions = [{ move }] as never;
    expect(stands(MovePieceDocument, input, { ...known, actions })).toBe(true);
    expect(stands(MovePieceDocument, input, { ...known, actions: [] })).toBe(false);
    expect(stands(MovePieceDocument, { from: 's12', to: 's11' }, { ...known, actions })).toBe(false);
    const earlier = [{ move: { ...move, turn: 1 } }] as never;
    expect(stands(MovePieceDocument, input, { ...known, actions: earlier })).toBe(false);
  });
});

describe('a vote', () => {
  const offer = { offer: 1, seat: 'E', accepted: ['E'], pending: ['S'] };
  /** Votes, is refused, and gives how often that was said. */
  const vote = async (accept: boolean) => {
    const match = view(6, { drawOffer: { ...offer, accepted: ['E', 'S'], pending: ['N'] } });
    const problem = { code: 'DRAW_ALREADY_VOTED', field: null, retryAfter: null, brokenRules: [] };
    const payload = { match, userErrors: [problem] };
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: { payload } })));
    model.take(view(5, { drawOffer: offer }));
    return model.run(VoteDrawDocument, { accept, offer: 1 });
  };

  it('that was given in another window is no mistake', async () => {
    expect(await vote(true)).toBe(true);
    expect(page.querySelectorAll('.toast')).toHaveLength(0);
  });

  it('that was given otherwise is', async () => {
    expect(await vote(false)).toBe(false);
    await expect.poll(() => page.querySelectorAll('.toast')).toHaveLength(1);
  });
});

describe('what else a command asks for', () => {
  const known = (before: object, now: object, gone = false) => ({
    before: view(5, before),
    now: view(6, now),
    actions: [],
    gone,
  });
  const board = (a: string, b: string) => ({
    board: [
      { at: 's12', identity: a },
      { at: 's13', identity: b },
    ],
  });

  it('is seen in the snapshot', () => {
    expect(stands(SkipTurnDocument, {}, known({}, { mySkipsLeft: 4 }))).toBe(true);
    expect(stands(SkipTurnDocument, {}, known({}, {}))).toBe(false);
    expect(stands(OfferDrawDocument, {}, known({}, { turn: { number: 3, drawOffered: true } }))).toBe(true);
    expect(stands(OfferDrawDocument, {}, known({}, { turn: { number: 4, drawOffered: true } }))).toBe(false);
    expect(stands(LeaveDocument, {}, known({}, { role: 'DEPARTED' }))).toBe(true);
    expect(stands(LeaveDocument, {}, known({}, {}, true))).toBe(true);
    expect(stands(LeaveDocument, {}, known({}, { role: 'SEATED' }))).toBe(false);
    expect(stands(ReadyDocument, {}, known({ myReady: false }, { myReady: true }))).toBe(true);
    expect(stands(ReadyDocument, {}, known({ myReady: false }, { myReady: false }))).toBe(false);
    const answer = { accept: false, proposal: 2 };
    expect(stands(AnswerTeamSurrenderDocument, answer, known({}, { teamSurrender: null }))).toBe(true);
    expect(stands(AnswerTeamSurrenderDocument, answer, known({}, { teamSurrender: answer }))).toBe(false);
  });

  it('is seen in the own formation, when that has changed', () => {
    const swap = { a: 's12', b: 's13', expectedVersion: 1 };
    const swapped = { ...board('MINE', 'BOMB'), privateVersion: 2 };
    expect(stands(SwapPiecesDocument, swap, known(board('BOMB', 'MINE'), swapped))).toBe(true);
    expect(stands(SwapPiecesDocument, swap, known(swapped, { ...swapped, privateVersion: 2 }))).toBe(false);
    const formation = [{ at: 's12', piece: 'mine' }];
    const arrange = { formation, expectedVersion: 1 };
    expect(stands(ArrangeFormationDocument, arrange, known({}, swapped))).toBe(true);
    expect(stands(ArrangeFormationDocument, arrange, known({}, { ...swapped, privateVersion: 1 }))).toBe(
      false,
    );
  });
});
