// The bar while somebody looks back: which action the board shows, a step back or on, and the way to now, which says
// when something waits there.
import type { ComponentChildren } from 'preact';
import type { TableFragment } from '../../api/generated.ts';
import { words } from '../../i18n/index.ts';
import { logLine } from './logLine.ts';
import { hereIn, type Looking, step, toldOf } from './looking.ts';
import type { TableModel } from './model.ts';

interface Props {
  model: TableModel;
  /** The table as it is now. */
  view: TableFragment;
  past: Looking;
  /** What waits for the person beside the own turn. */
  children?: ComponentChildren;
}

/** In place of what could be done now. */
export function LookBar({ model, view, past, children }: Props) {
  const { table, seats } = words();
  const { log } = table;
  const told = toldOf(model);
  const here = hereIn(told, past);
  const action = told[here];
  const line = action && (action.seat ? log.of(seats[action.seat], logLine(action)) : logLine(action));
  return (
    <div class="bar looking">
      {children}
      <p class="hint" role="status">
        {line}
      </p>
      <div class="row">
        <button
          type="button"
          class="icon"
          onClick={() => void step(model, past, -1)}
          disabled={here <= 0 && !model.log.more.value}
          aria-label={log.previous}
        >
          ◀
        </button>
        <button type="button" class="icon" onClick={() => void step(model, past, 1)} aria-label={log.next}>
          ▶
        </button>
        <button type="button" class="main wide" onClick={() => (past.value = null)}>
          {view.myTurn && `${table.status.yourTurn} · `}
          {log.live}
        </button>
      </div>
    </div>
  );
}
