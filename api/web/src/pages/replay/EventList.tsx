// Personnel changes and important events, and all actions; a click goes there. A long list shows a window of its lines.
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { pageWords } from '../../i18n/index.ts';
import type { ReplayFile } from '../../replay/format.ts';
import type { Frame } from '../../replay/frames.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { around, placeOf, WINDOW, within } from './lines.ts';
import { eventInWords, isImportant } from './tell.ts';

interface Props {
  file: ReplayFile;
  frames: readonly Frame[];
  at: number;
  onGo: (to: number) => void;
}

/** The two lists. */
export function EventList({ file, frames, at, onGo }: Props) {
  const { replay } = pageWords();
  const all = useSignal(file.version === 1);
  /** Where the reader turned the list to, until the replay goes on. */
  const turned = useSignal<{ at: number; first: number } | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const every = all.value;
  const shown = useMemo(
    () => frames.flatMap(({ event }, index) => (event && (every || isImportant(event)) ? [index] : [])),
    [frames, every],
  );
  const first = turned.value?.at === at ? turned.value.first : around(placeOf(shown, at), shown.length);
  useLayoutEffect(() => {
    const element = list.current;
    const current = element?.querySelector('[aria-current]');
    if (!element || !current) return;
    const below = current.getBoundingClientRect().top - element.getBoundingClientRect().top;
    element.scrollTop += below - element.clientHeight / 2;
  }, [at, every]);
  const turn = (by: number) => {
    turned.value = { at, first: within(first + by, shown.length) };
  };
  const further = (by: number, name: string) => (
    <button type="button" class="more" onClick={() => turn(by)}>
      {name}
    </button>
  );
  return (
    <section class="card log">
      <div class="segments" role="group" aria-label={replay.events}>
        {[false, true].map((one) => (
          <button
            key={String(one)}
            type="button"
            class="segment"
            aria-pressed={every === one}
            onClick={() => {
              all.value = one;
              turned.value = null;
            }}
          >
            {one ? replay.moves : replay.events}
          </button>
        ))}
      </div>
      {shown.length === 0 && <p class="quiet">{replay.noEvents}</p>}
      {first > 0 && further(-WINDOW, replay.earlier)}
      <ol ref={list} tabIndex={0} aria-label={every ? replay.moves : replay.events}>
        {shown.slice(first, first + WINDOW).map((index) => {
          const event = frames[index]?.event;
          return (
            <li key={index}>
              <button
                type="button"
                class={`line ${event?.kind === 'moved' ? '' : 'event'}`}
                aria-current={index === at ? 'step' : undefined}
                onClick={() => onGo(index)}
              >
                <span class="ply">{index}</span>
                {event?.seat && <SeatBadge seat={event.seat} />}
                <span>{event && eventInWords(event, file)}</span>
              </button>
            </li>
          );
        })}
      </ol>
      {first + WINDOW < shown.length && further(WINDOW, replay.later)}
    </section>
  );
}
