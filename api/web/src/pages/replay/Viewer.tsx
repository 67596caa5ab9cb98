// A replay on the board: where in time, whose view, what is open.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { SEATS, type Seat, seatAfter } from '../../board/nodes.ts';
import { Stage } from '../../board/Stage.tsx';
import { type Region, seatOn } from '../../board/tracks.ts';
import { fullMoment, pageWords, words } from '../../i18n/index.ts';
import type { ReplayFile } from '../../replay/format.ts';
import type { Played } from '../../replay/frames.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { say } from '../../ui/toasts.tsx';
import { describe } from '../table/describe.ts';
import { useRoom } from '../table/room.ts';
import { Controls } from './Controls.tsx';
import { EventList } from './EventList.tsx';
import { Settlement } from './Settlement.tsx';
import { named, outcomeInWords, whoSat } from './tell.ts';

interface Props {
  name: string;
  file: ReplayFile;
  played: Played;
  problem: string | null;
  onAnother: () => void;
}

const NOTHING = { selected: null, chosen: null, targets: new Map(), movable: new Set<string>() };
const PACE_MS = 1_000;
/** The glyphs of the seats for lists that hold text alone. */
const SIGNS: Record<Seat, string> = { S: '■', N: '▲', E: '●', W: '◆' };

/** The viewer of a file. */
export function Viewer({ name, file, played, problem, onAnother }: Props) {
  const { replay } = pageWords();
  const { seats, table } = words();
  const { frames, contradiction } = played;
  const room = useRoom();
  const at = useSignal(0);
  const playing = useSignal(false);
  const speed = useSignal(1);
  const bottom = useSignal<Seat>('S');
  const hidden = useSignal<ReadonlySet<Seat>>(new Set());
  const region = useSignal<Region>('all');
  const last = frames.length - 1;
  const frame = frames[at.value] ?? frames[0];

  const go = (to: number) => {
    at.value = Math.max(0, Math.min(last, to));
  };
  useEffect(() => {
    if (!playing.value) return;
    if (at.value >= last) {
      playing.value = false;
      return;
    }
    const timer = setTimeout(() => go(at.value + 1), PACE_MS / speed.value);
    return () => clearTimeout(timer);
  }, [playing.value, at.value, speed.value]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as Element;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        target.closest('input, select, .board, dialog') ||
        (event.key === ' ' && target.closest('button, summary, a'))
      )
        return;
      const move: Record<string, () => void> = {
        ArrowLeft: () => go(at.value - 1),
        ArrowRight: () => go(at.value + 1),
        Home: () => go(0),
        End: () => go(last),
        ' ': () => (playing.value = !playing.value),
      };
      const act = move[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [last]);

  const toggle = (seat: Seat) => {
    const next = new Set(hidden.value);
    if (!next.delete(seat)) next.add(seat);
    hidden.value = next;
  };
  const look = (seat: Seat) => {
    bottom.value = seat;
    hidden.value = new Set(SEATS.filter((other) => other !== seat));
  };
  const pieces = (frame?.pieces ?? []).map((piece) =>
    hidden.value.has(piece.seat) ? { ...piece, identity: null } : piece,
  );
  const open = SEATS.filter((seat) => !hidden.value.has(seat));
  const route = frame?.route ?? null;
  const moving = route && frame?.event ? pieces.find((piece) => piece.at === route.at(-1)) : null;
  const warning = useRef<HTMLParagraphElement>(null);
  const broken =
    contradiction &&
    replay.broken(contradiction.frame, replay.why[contradiction.why](named(contradiction.at)));
  useEffect(() => {
    // In a small window the warning stands below the board, out of sight.
    if (broken && warning.current && warning.current.getBoundingClientRect().top > innerHeight)
      say(broken, true);
  }, [file]);
  const sitting = (seat: Seat) => whoSat(file, seat, frame?.event?.at ?? file.startedAt);

  return (
    <div ref={room} class="table replay">
      <h1 class="unseen">
        {replay.heading} {name}
      </h1>
      <div class="play">
        <div class="status">
          <strong>{frame?.event ? replay.step(at.value, last) : replay.initial}</strong>
          {frame?.event?.at && <time class="due">{fullMoment(frame.event.at)}</time>}
        </div>
        <Stage
          bottom={bottom.value}
          region={region.value}
          onRegion={(one) => (region.value = one)}
          pieces={pieces}
          lastRoute={route}
          walk={moving && route ? { key: String(at.value), handle: moving.handle, route } : null}
          describe={(id) => describe(id, pieces, null, NOTHING)}
          onDouble={(id) => {
            const piece = pieces.find((one) => one.at === id);
            if (piece) toggle(piece.seat);
          }}
          card={(arm) => {
            const seat = seatOn(arm, bottom.value);
            return (
              <Owner
                seat={seat}
                name={sitting(seat)}
                hidden={hidden.value.has(seat)}
                left={pieces.filter((piece) => piece.seat === seat).length}
                onToggle={() => toggle(seat)}
              />
            );
          }}
        />
      </div>
      <div class="bars">
        <Controls
          at={at.value}
          last={last}
          playing={playing.value}
          speed={speed.value}
          onGo={go}
          onPlay={() => {
            if (at.value >= last) at.value = 0;
            playing.value = !playing.value;
          }}
          onSpeed={(times) => (speed.value = times)}
        />
      </div>
      <aside class="panel" aria-label={replay.events}>
        {problem && (
          <p class="card problem" role="alert">
            {problem}
          </p>
        )}
        {broken && (
          <p class="card problem" role="alert" ref={warning}>
            {broken}
          </p>
        )}
        <Missing file={file} unknown={played.unknown} />
        <section class="card">
          <div class="row">
            <label class="field grow">
              <span>{replay.perspective}</span>
              <select
                value={hidden.value.size === 0 ? 'open' : open.length === 1 ? open[0] : 'custom'}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  if (value === 'open') hidden.value = new Set();
                  else look(value as Seat);
                }}
              >
                <option value="open">{replay.openAll}</option>
                <option value="custom" disabled hidden>
                  {replay.custom}
                </option>
                {SEATS.map((seat) => (
                  <option key={seat} value={seat}>
                    {[`${SIGNS[seat]} ${seats[seat]}`, sitting(seat)].filter(Boolean).join(' · ')}
                  </option>
                ))}
              </select>
            </label>
            <button type="button" onClick={() => (bottom.value = seatAfter(bottom.value, 1))}>
              {replay.turnBoard}
            </button>
          </div>
          <div class="row">
            <button type="button" onClick={onAnother}>
              {replay.another}
            </button>
            <span class="quiet grow file-name">{name}</span>
          </div>
        </section>
        <EventList file={file} frames={frames} at={at.value} onGo={go} />
        {file.outcome && !contradiction && (
          <section class="card ended">
            <h2>{outcomeInWords(file.outcome)}</h2>
            {file.endedAt && <p class="quiet">{fullMoment(file.endedAt)}</p>}
            <Settlement file={file} caption={table.end.settlement} />
          </section>
        )}
        <p class="quiet">{replay.keyHelp}</p>
      </aside>
    </div>
  );
}

interface OwnerProps {
  seat: Seat;
  /** Null where the file does not tell. */
  name: string | null;
  hidden: boolean;
  left: number;
  onToggle: () => void;
}

function Owner({ seat, name, hidden, left, onToggle }: OwnerProps) {
  const { replay } = pageWords();
  const { table, seats } = words();
  const who = name ?? seats[seat];
  return (
    <div class={`seat side-${seat} ${left === 0 ? 'out' : ''}`}>
      <button
        type="button"
        class="owner"
        aria-pressed={hidden}
        onClick={onToggle}
        title={hidden ? replay.show(who) : replay.hide(who)}
      >
        <SeatBadge seat={seat} />
        <span class="seat-name">
          <span>
            <bdi>{name ?? replay.nobody}</bdi>
          </span>
        </span>
      </button>
      <div class="seat-note">{table.left(left)}</div>
    </div>
  );
}

function Missing({ file, unknown }: { file: ReplayFile; unknown: number }) {
  const { missing } = pageWords().replay;
  const people = file.participants.length === 0;
  if (!people && unknown === 0) return null;
  return (
    <section class="card vote">
      <h2>{missing.heading}</h2>
      {unknown > 0 && <p>{missing.identities(unknown)}</p>}
      {people && <p>{missing.people}</p>}
    </section>
  );
}
