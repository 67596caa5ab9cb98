// The bar while somebody looks back: which action the board shows, a step back or on, and the way to now.
import { words } from '../../i18n/index.ts';
import { logLine } from './logLine.ts';
import { hereIn, type Looking, step, toldOf } from './looking.ts';
import type { TableModel } from './model.ts';

/** In place of what could be done now. */
export function LookBar({ model, past }: { model: TableModel; past: Looking }) {
  const { table, seats } = words();
  const { log } = table;
  const told = toldOf(model);
  const here = hereIn(told, past);
  const action = told[here];
  const line = action && (action.seat ? log.of(seats[action.seat], logLine(action)) : logLine(action));
  const live = () => {
    past.value = null;
    // The bar goes; whoever came by keys goes on from the list.
    document.querySelector<HTMLElement>('.log ol')?.focus({ preventScroll: true });
  };
  return (
    <div class="bar looking">
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
        <button type="button" class="main wide" onClick={live}>
          {log.live}
        </button>
      </div>
    </div>
  );
}
