// Whether what a command asked for is so, as snapshots and public actions show it. Its answer may be lost though the
// server did it; or be a refusal, because another window of the same person had it done.
import { effect } from '@preact/signals';
import { SetMarkDocument } from '../../api/generated.marks.ts';
import {
  type ActionFragment,
  AnswerTeamSurrenderDocument,
  ArrangeFormationDocument,
  ConfirmTakeoverDocument,
  LeaveDocument,
  MovePieceDocument,
  OfferDrawDocument,
  ProposeTeamSurrenderDocument,
  ReadyDocument,
  SkipTurnDocument,
  SurrenderDocument,
  SwapPiecesDocument,
  type TableFragment,
  type TypedDocumentString,
  UnreadyDocument,
  VoteDrawDocument,
  WithdrawTakeoverDocument,
  WithdrawTeamSurrenderDocument,
} from '../../api/generated.ts';
import type { TableModel } from './model.ts';

/** What is known of a table when a command was sent, and now. */
export interface Known {
  before: TableFragment;
  now: TableFragment;
  actions: readonly ActionFragment[];
  /** Whether the person has nothing to do with the table any more. */
  gone: boolean;
}

type Test<I> = (known: Known, input: I) => boolean;
const tests = new Map<unknown, Test<never>>();

function on<I>(document: TypedDocumentString<unknown, { input: I }>, test: Test<I>): void {
  tests.set(document, test);
}

/** Whether what a command asked for is so; false when nobody can tell. */
export function stands(document: unknown, input: object, known: Known): boolean {
  return tests.get(document)?.(known, input as never) ?? false;
}

/** Looks out for what a command asked for, from before it is sent until `stop`. */
export function lookOut(model: TableModel, document: unknown, input: object, before: TableFragment) {
  const isSo = () =>
    stands(document, input, {
      before,
      now: model.view.value ?? before,
      actions: model.log.actions.value,
      gone: model.state.value === 'missing',
    });
  let stop = () => {};
  const shown = new Promise<null>((resolve) => {
    stop = effect(() => {
      if (isSo()) resolve(null);
    });
  });
  return { isSo, shown, stop };
}

on(MovePieceDocument, ({ before, now, actions }, { from, to }) =>
  [now.lastMove, ...actions.map(({ move }) => move)].some(
    (move) =>
      !!move &&
      move.turn === before.turn?.number &&
      move.seat === before.mySeat &&
      move.from === from &&
      move.to === to,
  ),
);
on(SkipTurnDocument, ({ before, now }) => (now.mySkipsLeft ?? 9) < (before.mySkipsLeft ?? 0));
on(
  OfferDrawDocument,
  ({ before, now }) => !!now.turn?.drawOffered && now.turn.number === before.turn?.number,
);
on(VoteDrawDocument, ({ now: { mySeat, drawOffer, outcome } }, { accept, offer }) => {
  if (!accept) return drawOffer?.offer !== offer;
  return outcome?.drawBy === 'AGREED' || (!!mySeat && !!drawOffer?.accepted.includes(mySeat));
});
on(SurrenderDocument, ({ now }) =>
  now.seats.some(({ seat, eliminated }) => seat === now.mySeat && eliminated),
);
on(
  ProposeTeamSurrenderDocument,
  ({ now }) => now.teamSurrender !== null && now.teamSurrender.seat === now.mySeat,
);
on(AnswerTeamSurrenderDocument, ({ now: { teamSurrender, outcome } }, { accept, proposal }) =>
  accept ? outcome?.winBy === 'TEAM_SURRENDER' : teamSurrender?.proposal !== proposal,
);
on(WithdrawTeamSurrenderDocument, ({ now }, { proposal }) => now.teamSurrender?.proposal !== proposal);
on(LeaveDocument, ({ now, gone }) => gone || now.role === 'DEPARTED');
on(
  ReadyDocument,
  ({ before, now }) => now.myReady === true || (now.mySeat === before.mySeat && now.phase !== before.phase),
);
on(UnreadyDocument, ({ now }) => now.myReady === false);
on(SwapPiecesDocument, ({ before, now }, { a, b, expectedVersion }) => {
  const on = ({ board }: TableFragment, at: string) => board.find((piece) => piece.at === at)?.identity;
  const swapped = on(now, a) === on(before, b) && on(now, b) === on(before, a);
  return swapped && (now.privateVersion ?? 0) > expectedVersion;
});
on(
  ArrangeFormationDocument,
  ({ now }, { formation, expectedVersion }) =>
    (now.privateVersion ?? 0) > expectedVersion &&
    formation.every(({ at, piece }) =>
      now.board.some((one) => one.at === at && one.identity?.toLowerCase() === piece),
    ),
);
on(ConfirmTakeoverDocument, ({ now }) => now.mySeat !== null);
on(WithdrawTakeoverDocument, ({ gone }) => gone);
on(SetMarkDocument, ({ now }, { handle, mark, colour }) => {
  const one = now.marks.find((mark) => mark.handle === handle);
  return (one?.mark ?? null) === (mark ?? null) && (one?.colour ?? null) === (colour ?? null);
});
