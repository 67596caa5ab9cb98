// The line above the board: what happens now, and until when.
import type { TableFragment } from '../../api/generated.ts';
import { left } from '../../clock.ts';
import { countdown, moment, words } from '../../i18n/index.ts';
import { endInWords } from './ending.ts';

const SOON = 3_600_000;

/** The state of the table in one line; `past` while somebody looks back. */
export function Status({ view, past }: { view: TableFragment; past: boolean }) {
  const { table } = words();
  const turn = view.turn;
  let text = view.outcome ? endInWords(view.outcome, view.mySide) : table.status.ended;
  if (past) text = table.hints.lookBack;
  else if (view.phase === 'ASSEMBLING') text = table.status.assembling(view.seatsTaken, view.seatsReady);
  else if (turn?.kind === 'VACANT') text = table.status.vacant(turn.seat);
  else if (view.myTurn) text = table.status.yourTurn;
  else if (turn) text = table.status.turn(turn.seat);
  const remaining = turn ? left(turn.deadline) : 0;
  return (
    <div class={`status ${view.myTurn ? 'own' : ''}`}>
      <strong>{text}</strong>
      {turn && (
        <span class={remaining < SOON ? 'due soon' : 'due'}>
          {remaining > 0 ? (
            <>
              <time dateTime={turn.deadline}>{table.deadline(moment(turn.deadline))}</time>
              <span class="clock" role="timer" aria-label={table.remaining}>
                {countdown(remaining)}
              </span>
            </>
          ) : (
            table.expired
          )}
        </span>
      )}
      {view.phase === 'ASSEMBLING' && view.releaseAt && (
        <span class="due">{table.release(moment(view.releaseAt))}</span>
      )}
    </div>
  );
}
