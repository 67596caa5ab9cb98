// The board as a picture that can be used by finger, mouse and keyboard. It shows what it is given and tells what was
// picked; it knows no rule and no server.
import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from '../i18n/index.ts';
import { useDrag } from './drag.ts';
import { campSeal, Ground } from './Ground.tsx';
import { Highlights } from './Highlights.tsx';
import { keyOf } from './keys.ts';
import { useWalk, type Walk } from './motion.ts';
import { nodeOf } from './nodes.ts';
import { PieceMark } from './PieceMark.tsx';
import type { Shown } from './pieces.ts';
import { boxOf, inReadingOrder, nearest, type Region, regionBox, toward, type View } from './tracks.ts';

/** What a target is: an empty place, an enemy, or a piece to change places with. */
export type Target = 'empty' | 'attack' | 'swap';

/** What the board shows and whom it tells. */
export interface BoardProps {
  view: View;
  /** The size that it has on the screen, in pixels. */
  size: { width: number; height: number };
  pieces: readonly Shown[];
  region: Region;
  onRegion: (region: Region) => void;
  selected?: string | null;
  chosen?: string | null;
  targets?: ReadonlyMap<string, Target>;
  /** Pieces that can be picked. */
  movable?: ReadonlySet<string>;
  /** The last move's positions, both ends included. */
  lastRoute?: readonly string[] | null;
  /** The way that a chosen move would take. */
  preview?: readonly string[] | null;
  /** The move to walk once. */
  walk?: Walk | null;
  /** Positions whose command is under way. */
  pending?: ReadonlySet<string>;
  /** A position was picked by click, tap, Enter or Space. */
  onPick?: (at: string) => void;
  /** Escape. */
  onDrop?: () => void;
  /** Two clicks on a position in a row. */
  onDouble?: (at: string) => void;
  /** A piece was dragged to a position; absent where nothing can be dragged. */
  onDrag?: (from: string, to: string) => void;
  /** Reads something aloud. */
  onRead?: (what: 'targets' | 'last' | 'clock') => void;
  /** What a position is called. */
  describe: (at: string) => string;
}

const TAP_REACH = 22;
const NOTHING: ReadonlyMap<string, Target> = new Map();
const NOBODY: ReadonlySet<string> = new Set();

/** The board. */
export function Board(props: BoardProps) {
  const { view, size, pieces, targets = NOTHING, movable = NOBODY, pending = NOBODY } = props;
  const svg = useRef<SVGSVGElement>(null);
  const layer = useRef<SVGGElement>(null);
  /** Where keys are; null until somebody came there. */
  const [visited, setCursor] = useState<string | null>(null);
  const cursor = visited ?? entry(props);
  const box = regionBox(props.region, view.tracks);
  const scale = Math.min(size.width / box.width, size.height / box.height) || 1;
  const ghosts = useWalk(layer, pieces, props.walk ?? null, view);
  const drag = useDrag(svg, view, movable, props.onDrag);

  useEffect(() => setCursor(null), [view.bottom]);

  const pick = (event: MouseEvent) => {
    if (drag.justDropped()) return;
    const exact = (event.target as Element).closest<SVGElement>('[data-at]')?.dataset.at ?? null;
    let at = exact;
    if (event.detail > 0 && !(exact && (movable.has(exact) || targets.has(exact)))) {
      const point = drag.toPicture(event);
      at = nearest(point, [...movable, ...targets.keys()], view, TAP_REACH / scale) ?? exact;
    }
    if (at) {
      setCursor(at);
      props.onPick?.(at);
    }
  };

  const focus = (at: string) => {
    setCursor(at);
    svg.current?.querySelector<SVGElement>(`[data-at="${at}"]`)?.focus();
  };

  const press = (event: KeyboardEvent) => {
    const key = keyOf(event);
    if (!key) return;
    event.preventDefault();
    if (key.kind === 'step') focus(toward(cursor, key.dx, key.dy, view));
    else if (key.kind === 'pick') props.onPick?.(cursor);
    else if (key.kind === 'drop') props.onDrop?.();
    else if (key.kind === 'region') props.onRegion(key.region);
    else if (key.kind === 'read') props.onRead?.(key.what);
    else {
      const among = inReadingOrder(view.bottom).filter((node) =>
        (targets.size ? targets : movable).has(node.id),
      );
      const here = among.findIndex((node) => node.id === cursor);
      const next = among.at((here + key.by + (here < 0 && key.by < 0 ? 1 : 0)) % (among.length || 1));
      if (next) focus(next.id);
    }
  };

  return (
    <svg
      ref={svg}
      class={`board${props.onDrag ? ' arranging' : ''}${drag.from ? ' dragging' : ''}`}
      role="application"
      aria-label={words().board.label(view.bottom)}
      width={size.width}
      height={size.height}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      onClick={pick}
      onDblClick={(event) => {
        const at = (event.target as Element).closest<SVGElement>('[data-at]')?.dataset.at;
        if (at) props.onDouble?.(at);
      }}
      onKeyDown={press}
      {...drag.handlers}
    >
      <Ground view={view} seal={campSeal()} />
      <Highlights view={view} layer="below" route={props.lastRoute ?? null} preview={props.preview ?? null} />
      <g ref={layer} class="pieces" aria-hidden="true">
        {pieces.map((piece) => (
          <Placed
            key={piece.handle}
            piece={piece}
            view={view}
            scale={scale}
            state={
              piece.at === drag.from
                ? ' lifted'
                : pending.has(piece.at)
                  ? ' pending'
                  : movable.has(piece.at)
                    ? ' movable'
                    : ''
            }
          />
        ))}
        {ghosts.map((piece) => (
          <Placed key={`ghost-${piece.handle}`} piece={piece} view={view} scale={scale} state=" ghost" />
        ))}
      </g>
      <Highlights
        view={view}
        layer="above"
        route={props.lastRoute ?? null}
        targets={targets}
        selected={props.selected ?? null}
        chosen={props.chosen ?? null}
        over={drag.over}
      />
      <g class="nodes">
        {inReadingOrder(view.bottom).map((node) => {
          const cell = boxOf(node, view);
          return (
            <g
              key={node.id}
              role="button"
              tabindex={node.id === cursor ? 0 : -1}
              data-at={node.id}
              aria-label={props.describe(node.id)}
              class={movable.has(node.id) ? 'can' : targets.has(node.id) ? 'goal' : undefined}
              onFocus={() => setCursor(node.id)}
            >
              <rect
                x={cell.x - cell.width / 2}
                y={cell.y - cell.height / 2}
                width={cell.width}
                height={cell.height}
                rx={4}
              />
            </g>
          );
        })}
      </g>
      {drag.from && <Carried from={drag.from} at={drag.at} pieces={pieces} view={view} scale={scale} />}
    </svg>
  );
}

/** Where keys come first: to a piece that can be picked, else to one that is known, those at the bottom before others. */
function entry({ view, pieces, movable = NOBODY }: BoardProps): string {
  const known = pieces.filter(({ identity }) => identity && identity !== 'FLAG');
  const own = known.find(({ seat }) => seat === view.bottom) ?? known[0];
  const first = inReadingOrder(view.bottom).find(({ id }) => movable.has(id));
  return first?.id ?? own?.at ?? `${view.bottom.toLowerCase()}33`;
}

interface PlacedProps {
  piece: Shown;
  view: View;
  scale: number;
  state: string;
}

function Placed({ piece, view, scale, state }: PlacedProps) {
  const node = nodeOf(piece.at);
  if (!node) return null;
  const cell = boxOf(node, view);
  return (
    <g
      class={`piece side-${piece.seat} ${piece.identity ? 'open' : 'dark'}${state}`}
      data-handle={piece.handle}
      transform={`translate(${cell.x} ${cell.y})`}
    >
      <PieceMark piece={piece} width={cell.width} height={cell.height} scale={scale} />
    </g>
  );
}

interface CarriedProps {
  from: string;
  at: { x: number; y: number };
  pieces: readonly Shown[];
  view: View;
  scale: number;
}

function Carried({ from, at, pieces, view, scale }: CarriedProps) {
  const piece = pieces.find((one) => one.at === from);
  const node = nodeOf(from);
  if (!piece || !node) return null;
  const cell = boxOf(node, view);
  return (
    <g
      class={`piece carried side-${piece.seat} open`}
      transform={`translate(${at.x} ${at.y}) scale(1.12)`}
      aria-hidden="true"
    >
      <PieceMark piece={piece} width={cell.width} height={cell.height} scale={scale} />
    </g>
  );
}
