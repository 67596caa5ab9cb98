// Play, stop, step, jump, speed.
import { pageWords } from '../../i18n/index.ts';

interface Props {
  at: number;
  last: number;
  playing: boolean;
  speed: number;
  onGo: (to: number) => void;
  onPlay: () => void;
  onSpeed: (times: number) => void;
}

const SPEEDS = [0.5, 1, 2, 4, 8];

/** The bar of a replay. */
export function Controls({ at, last, playing, speed, onGo, onPlay, onSpeed }: Props) {
  const { replay } = pageWords();
  return (
    <div class="bar controls">
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={replay.position}
        aria-valuetext={replay.step(at, last)}
        onInput={(event) => onGo(Number(event.currentTarget.value))}
      />
      <div class="row">
        <button
          type="button"
          class="icon"
          onClick={() => onGo(0)}
          disabled={at === 0}
          aria-label={replay.toStart}
        >
          |◀
        </button>
        <button
          type="button"
          class="icon"
          onClick={() => onGo(at - 1)}
          disabled={at === 0}
          aria-label={replay.back}
        >
          ◀
        </button>
        <button type="button" class="main wide" onClick={onPlay} disabled={last === 0}>
          {playing ? replay.stop : replay.play}
        </button>
        <button
          type="button"
          class="icon"
          onClick={() => onGo(at + 1)}
          disabled={at === last}
          aria-label={replay.forward}
        >
          ▶
        </button>
        <button
          type="button"
          class="icon"
          onClick={() => onGo(last)}
          disabled={at === last}
          aria-label={replay.toEnd}
        >
          ▶|
        </button>
        <select
          aria-label={replay.speed}
          value={String(speed)}
          onChange={(event) => onSpeed(Number(event.currentTarget.value))}
        >
          {SPEEDS.map((times) => (
            <option key={times} value={String(times)}>
              {replay.times(times)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
