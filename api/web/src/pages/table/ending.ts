// How a match ended, in words.
import type { TableFragment } from '../../api/generated.ts';
import { words } from '../../i18n/index.ts';

type Outcome = NonNullable<TableFragment['outcome']>;

/** An outcome in words. */
export function endInWords(outcome: Outcome): string {
  const { end } = words().table;
  const by = outcome.winBy ?? outcome.drawBy ?? outcome.noResultBy;
  const head =
    outcome.kind === 'WIN' && outcome.winner
      ? end.win(outcome.winner)
      : outcome.kind === 'DRAW'
        ? end.draw
        : end.noResult;
  return by ? end.because(head, end.by[by]) : head;
}
