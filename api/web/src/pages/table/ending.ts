// How a match ended, in words: from a side's own view, or from nobody's.
import type { OutcomeKind, Side, TableFragment } from '../../api/generated.ts';
import { words } from '../../i18n/index.ts';

type Outcome = NonNullable<TableFragment['outcome']>;
type Reason = keyof ReturnType<typeof words>['table']['end']['by'];

/** An outcome in words; of somebody's `side` it tells who won by “you”. */
export function endInWords(
  { kind, winner, winBy, drawBy, noResultBy }: Outcome,
  side: Side | null = null,
): string {
  return resultInWords(kind, winner, winBy ?? drawBy ?? noResultBy, side);
}

/** The same from its parts. */
export function resultInWords(
  kind: OutcomeKind,
  winner: Side | null,
  by: Reason | null,
  side: Side | null = null,
): string {
  const { table, sides } = words();
  const { end } = table;
  let head = kind === 'DRAW' ? end.draw : end.noResult;
  let loser = '';
  if (winner) {
    const lost = winner === 'RED' ? 'BLUE' : 'RED';
    head = side ? end.own(winner === side) : end.win(winner);
    loser = side ? end.loser(lost, lost === side) : sides[lost];
  }
  return by ? end.because(head, end.by[by](loser)) : head;
}
