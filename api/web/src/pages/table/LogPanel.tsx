// The public actions, newest at the end; a click looks back at the board as it was.
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { moment, words } from '../../i18n/index.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { logLine } from './logLine.ts';
import type { Past } from './lookback.ts';
import type { TableModel } from './model.ts';

const SILENT = new Set([
  'TURN_STARTED',
  'OPENED',
  'SEAT_VACATED',
  'SEAT_TAKEN',
  'READY',
  'READY_TAKEN_BACK',
  'SEAT_RELEASED',
]);

interface Props {
  model: TableModel;
  past: Signal<Past | null>;
  /** What stands above the list. */
  children?: ComponentChildren;
}

/** The list, with stepping. */
export function LogPanel({ model, past, children }: Props) {
  const { log } = words().table;
  const list = useRef<HTMLOListElement>(null);
  const told = model.log.actions.value.filter((action) => !SILENT.has(action.kind));
  const here =
    past.value === null
      ? told.length - 1
      : told.findIndex((action) => action.version === past.value?.version);
  useLayoutEffect(() => {
    const element = list.current;
    if (element && past.value === null) element.scrollTop = element.scrollHeight;
  }, [told.length, past.value]);

  const look = async (version: number | undefined) => {
    if (version === undefined) return;
    await model.log.all();
    model.drop();
    const newest = model.log.actions.value.filter((action) => !SILENT.has(action.kind)).at(-1)?.version;
    const view = model.view.value;
    if (version === newest || !view) past.value = null;
    else past.value = (await import('./lookback.ts')).boardAt(model.log.actions.value, version, view);
  };
  const step = async (by: -1 | 1) => {
    const at = told[here]?.version;
    await model.log.all();
    const all = model.log.actions.value.filter((action) => !SILENT.has(action.kind));
    await look(all[all.findIndex((action) => action.version === at) + by]?.version);
  };

  return (
    <section class="card log">
      <div class="row between">
        <h2>{log.heading}</h2>
        <div class="row">
          <button
            type="button"
            class="icon"
            onClick={() => void step(-1)}
            disabled={here <= 0 && !model.log.more.value}
            aria-label={log.previous}
          >
            ◀
          </button>
          <button
            type="button"
            class="icon"
            onClick={() => void step(1)}
            disabled={past.value === null}
            aria-label={log.next}
          >
            ▶
          </button>
          {past.value !== null && (
            <button type="button" class="main" onClick={() => (past.value = null)}>
              {log.live}
            </button>
          )}
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
              onClick={() => void look(action.version)}
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
