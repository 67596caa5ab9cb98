// The public actions, newest at the end; a click looks back at the board as it was.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { moment, words } from '../../i18n/index.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { logLine } from './logLine.ts';
import { hereIn, type Looking, look, step, toldOf } from './looking.ts';
import type { TableModel } from './model.ts';

interface Props {
  model: TableModel;
  past: Looking;
  /** What stands above the list. */
  children?: ComponentChildren;
}

/** The list, with stepping. */
export function LogPanel({ model, past, children }: Props) {
  const { log } = words().table;
  const list = useRef<HTMLOListElement>(null);
  const told = toldOf(model);
  const here = hereIn(told, past);
  useLayoutEffect(() => {
    const element = list.current;
    if (element && past.value === null) element.scrollTop = element.scrollHeight;
  }, [told.length, past.value]);

  return (
    <section class="card log">
      <div class="row between">
        <h2>{log.heading}</h2>
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
          <button
            type="button"
            class="icon"
            onClick={() => void step(model, past, 1)}
            disabled={past.value === null}
            aria-label={log.next}
          >
            ▶
          </button>
        </div>
      </div>
      {children}
      {told.length === 0 && <p class="quiet">{log.empty}</p>}
      <ol ref={list} tabIndex={0} aria-label={log.heading}>
        {model.log.more.value && (
          <li>
            <button type="button" class="line" onClick={() => void model.log.all()}>
              {log.earlier}
            </button>
          </li>
        )}
        {told.map((action, i) => (
          <li key={action.version}>
            <button
              type="button"
              class={`line ${action.kind === 'MOVED' ? '' : 'event'}`}
              aria-current={i === here ? 'step' : undefined}
              onClick={() => void look(model, past, action.version)}
              title={moment(action.at)}
            >
              {action.seat ? <SeatBadge seat={action.seat} /> : <span class="badge" />}
              <span>{logLine(action)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
