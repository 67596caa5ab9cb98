// Personnel changes and important events, and all actions; a click goes there.
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { pageWords } from '../../i18n/index.ts';
import type { ReplayFile } from '../../replay/format.ts';
import type { Frame } from '../../replay/frames.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
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
  const list = useRef<HTMLOListElement>(null);
  const shown = frames
    .map((frame, index) => ({ frame, index }))
    .filter(({ frame }) => frame.event && (all.value || isImportant(frame.event)));
  useLayoutEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (current && list.current) list.current.scrollTop = current.offsetTop - list.current.clientHeight / 2;
  }, [at, all.value]);
  return (
    <section class="card log">
      <div class="segments" role="group" aria-label={replay.events}>
        {[false, true].map((every) => (
          <button
            key={String(every)}
            type="button"
            class="segment"
            aria-pressed={all.value === every}
            onClick={() => (all.value = every)}
          >
            {every ? replay.moves : replay.events}
          </button>
        ))}
      </div>
      {shown.length === 0 && <p class="quiet">{replay.noEvents}</p>}
      <ol ref={list} tabIndex={0} aria-label={all.value ? replay.moves : replay.events}>
        {shown.map(({ frame, index }) => (
          <li key={index}>
            <button
              type="button"
              class={`line ${frame.event?.kind === 'moved' ? '' : 'event'}`}
              aria-current={index === at ? 'step' : undefined}
              onClick={() => onGo(index)}
            >
              <span class="ply">{index}</span>
              {frame.event?.seat && <SeatBadge seat={frame.event.seat} />}
              <span>{frame.event && eventInWords(frame.event, file)}</span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
