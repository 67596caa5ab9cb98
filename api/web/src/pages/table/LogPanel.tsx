// The public actions, newest at the end, which stays in sight; a click looks back at the board as it was.
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { moment, words } from '../../i18n/index.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { logLine } from './logLine.ts';
import { hereIn, type Looking, look, step, toldOf, whole } from './looking.ts';
import type { TableModel } from './model.ts';

/** So near to its end, in pixels, a list counts as scrolled there. */
const NEAR = 16;

interface Props {
  model: TableModel;
  past: Looking;
  /** What stands above the list. */
  children?: ComponentChildren;
}

/** The list, with stepping. */
export function LogPanel({ model, past, children }: Props) {
  const { table, common } = words();
  const { log } = table;
  const list = useRef<HTMLOListElement>(null);
  const told = toldOf(model);
  const here = hereIn(told, past);
  const state = model.log.state.value;
  const end = useEnd(list);
  useLayoutEffect(() => {
    if (past.value === null) end.follow();
  }, [told.length]);
  const shown = useRef(past.value);
  useLayoutEffect(() => {
    if (shown.current === past.value) return;
    shown.current = past.value;
    if (past.value === null) end.seek();
    // What led here may be gone or of no use any more: whoever came by keys goes on from the list.
    const focused = document.activeElement;
    if (!focused || focused === document.body || focused.matches(':disabled'))
      list.current?.focus({ preventScroll: true });
  }, [past.value]);

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
      {state === 'unread' ? (
        <p class="quiet" role="status">
          {common.unreachable}{' '}
          <button type="button" onClick={() => void model.log.retry()}>
            {common.retry}
          </button>
        </p>
      ) : (
        told.length === 0 && <p class="quiet">{state === 'read' ? log.empty : common.loading}</p>
      )}
      <ol ref={list} tabIndex={0} aria-label={log.heading}>
        {model.log.more.value && (
          <li>
            <button type="button" class="line" onClick={() => void whole(model)}>
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

/** Keeps the end of a list in sight, whatever the list’s size, until somebody scrolls up. */
function useEnd(list: RefObject<HTMLOListElement | null>) {
  const up = useRef(false);
  const top = useRef(0);
  const follow = () => {
    const element = list.current;
    if (!element || up.current) return;
    element.scrollTop = element.scrollHeight;
    top.current = element.scrollTop;
  };
  const seek = () => {
    up.current = false;
    follow();
  };
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const scrolled = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      // A list that shrinks leaves its end out of sight, too: nobody scrolled then.
      if (scrollHeight - scrollTop - clientHeight <= NEAR) up.current = false;
      else if (scrollTop < top.current) up.current = true;
      top.current = scrollTop;
    };
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    element.addEventListener('scroll', scrolled);
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, []);
  return { follow, seek };
}
