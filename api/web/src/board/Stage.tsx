// The board with what stands around it: it measures its room, fits the tracks, and puts a card in each corner of the
// cross, clockwise after each arm.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { words } from '../i18n/index.ts';
import { Board, type BoardProps } from './Board.tsx';
import type { Seat } from './nodes.ts';
import { type Arm, fit, type Region, type View } from './tracks.ts';

interface Props extends Omit<BoardProps, 'view' | 'size' | 'region' | 'onRegion'> {
  bottom: Seat;
  region: Region;
  onRegion: (region: Region) => void;
  /** The card of an arm's seat. */
  card: (arm: Arm) => ComponentChildren;
}

const CORNERS: readonly [Arm, string][] = [
  ['left', 'corner nw'],
  ['top', 'corner ne'],
  ['right', 'corner se'],
  ['bottom', 'corner sw'],
];
const REGIONS: readonly Region[] = ['all', 'bottom', 'right', 'top', 'left', 'centre'];

/** The board in its room. */
export function Stage({ bottom, region, onRegion, card, ...board }: Props) {
  const room = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 360, height: 480 });
  useLayoutEffect(() => {
    const element = room.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width && height) setSize({ width, height });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const tracks = useMemo(() => fit(size.width, size.height), [size.width, size.height]);
  const view = useMemo<View>(() => ({ tracks, bottom }), [tracks, bottom]);
  const drawn = region === 'all' ? { width: tracks.width, height: tracks.height } : size;
  const arm = (tracks.xs[6] ?? 0) - (tracks.widths[6] ?? 0) / 2;
  const rise = (tracks.ys[6] ?? 0) - (tracks.heights[6] ?? 0) / 2;
  const own = tracks.height - (tracks.ys[10] ?? 0) - (tracks.heights[10] ?? 0) / 2;
  return (
    <div class={`stage ${region === 'all' ? '' : 'zoomed'}`}>
      <div class="room" ref={room}>
        <div class="plate" style={{ width: `${drawn.width}px`, height: `${drawn.height}px` }}>
          <Board {...board} view={view} size={drawn} region={region} onRegion={onRegion} />
          {region === 'all' &&
            CORNERS.map(([of, name]) => (
              <div
                key={of}
                class={name}
                style={{ width: `${arm - 12}px`, height: `${(name.includes('n') ? rise : own) - 12}px` }}
              >
                {card(of)}
              </div>
            ))}
        </div>
      </div>
      <Zoom region={region} onRegion={onRegion} />
    </div>
  );
}

function Zoom({ region, onRegion }: { region: Region; onRegion: (region: Region) => void }) {
  const { zoom, regions } = words().board;
  return (
    <div class="zoom" role="group" aria-label={zoom}>
      {REGIONS.map((one, i) => (
        <button
          key={one}
          type="button"
          aria-pressed={region === one}
          onClick={() => onRegion(one)}
          aria-label={regions[one]}
          title={`${regions[one]} (${i})`}
        >
          <ZoomIcon region={one} />
        </button>
      ))}
    </div>
  );
}

const ARMS: Record<Exclude<Region, 'all'>, string> = {
  bottom: 'M8 14H12V20H8Z',
  right: 'M14 8H20V12H14Z',
  top: 'M8 0H12V6H8Z',
  left: 'M0 8H6V12H0Z',
  centre: 'M7 7H13V13H7Z',
};

function ZoomIcon({ region }: { region: Region }) {
  return (
    <svg viewBox="-1 -1 22 22" width="22" height="22" aria-hidden="true">
      {(Object.keys(ARMS) as (keyof typeof ARMS)[]).map((part) => (
        <path key={part} d={ARMS[part]} class={region === 'all' || region === part ? 'on' : 'off'} />
      ))}
    </svg>
  );
}
