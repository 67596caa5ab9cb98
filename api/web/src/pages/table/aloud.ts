// What keys on the board read aloud.
import type { TableFragment } from '../../api/generated.ts';
import { left } from '../../clock.ts';
import { countdown, words } from '../../i18n/index.ts';
import { announce } from '../../ui/toasts.tsx';
import { type Around, brief } from './describe.ts';
import { moveLine } from './logLine.ts';

/** Reads where the selected piece can go, the last move, or the clock. */
export function aloud(
  what: 'targets' | 'last' | 'clock',
  view: TableFragment,
  { selected, targets, movable }: Around,
): void {
  const { table, board, pieces } = words();
  const { turn, lastMove } = view;
  if (what === 'clock' && turn) announce(`${table.remaining} ${countdown(left(turn.deadline))}`);
  if (what === 'last' && lastMove) announce(moveLine(lastMove));
  if (what !== 'targets') return;
  const piece = view.board.find((one) => one.at === selected)?.identity;
  const sum = piece && table.hints.target(pieces.names[piece], targets.size);
  if (sum) announce([sum, ...[...targets.keys()].map(brief)].join(board.join));
  else announce(movable.size > 0 ? table.hints.pick : table.text.none);
}
