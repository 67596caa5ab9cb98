// What is drawn around pieces: the last move, the selection, where a piece can go. Forms differ, not hues alone.
import type { Target } from './Board.tsx';
import { between, pathThrough } from './lines.ts';
import { nodeOf } from './nodes.ts';
import { type Box, boxOf, type View } from './tracks.ts';

interface Props {
  view: View;
  layer: 'below' | 'above';
  route: readonly string[] | null;
  preview?: readonly string[] | null;
  targets?: ReadonlyMap<string, Target>;
  selected?: string | null;
  chosen?: string | null;
  over?: string | null;
}

/** Marks below the pieces (the way of a move) or above them (selection, targets). */
export function Highlights(props: Props) {
  const { view, route } = props;
  const cell = (at: string | null | undefined): Box | null => {
    const node = at ? nodeOf(at) : undefined;
    return node ? boxOf(node, view) : null;
  };
  if (props.layer === 'below') {
    const preview = props.preview;
    return (
      <g class="marks" aria-hidden="true">
        {route && route.length > 1 && <path class="last-way" d={pathThrough(route, view)} />}
        {preview && preview.length > 1 && <path class="preview-way" d={pathThrough(preview, view)} />}
      </g>
    );
  }
  const from = cell(route?.[0]);
  const to = cell(route?.at(-1));
  const selected = cell(props.selected);
  const chosen = cell(props.chosen);
  const over = cell(props.over);
  return (
    <g class="marks" aria-hidden="true">
      {from && <Frame class="last-from" box={from} part={0.72} />}
      {to && <Frame class="last-to" box={to} part={0.94} />}
      {to && route && route.length > 1 && <Arrow route={route} view={view} />}
      {[...(props.targets ?? [])].map(([at, target]) => {
        const box = cell(at);
        if (!box) return null;
        if (target === 'attack') return <Corners key={at} box={box} />;
        return <Dot key={at} box={box} small={target === 'swap'} />;
      })}
      {selected && <Frame class="selected" box={selected} part={0.98} />}
      {over && <Frame class="over" box={over} part={0.98} />}
      {chosen && <Frame class="chosen" box={chosen} part={1} />}
    </g>
  );
}

function Frame({ box, part, class: name }: { box: Box; part: number; class: string }) {
  const width = box.width * part;
  const height = box.height * part;
  const rx = Math.min(width, height) * 0.2;
  return (
    <rect class={name} x={box.x - width / 2} y={box.y - height / 2} width={width} height={height} rx={rx} />
  );
}

function Dot({ box, small }: { box: Box; small: boolean }) {
  const side = Math.min(box.width, box.height);
  if (small) {
    return <circle class="dot" cx={box.x + box.width * 0.36} cy={box.y - box.height * 0.34} r={side * 0.1} />;
  }
  return <circle class="dot" cx={box.x} cy={box.y} r={Math.max(4, side * 0.19)} />;
}

function Corners({ box }: { box: Box }) {
  const w = box.width * 0.5;
  const h = box.height * 0.5;
  const a = Math.min(w, h) * 0.55;
  const { x, y } = box;
  const d =
    `M${x - w} ${y - h + a}V${y - h}H${x - w + a}M${x + w - a} ${y - h}H${x + w}V${y - h + a}` +
    `M${x + w} ${y + h - a}V${y + h}H${x + w - a}M${x - w + a} ${y + h}H${x - w}V${y + h - a}`;
  return <path class="attack" d={d} />;
}

/** A small head on the way's last piece, so that origin and target are told apart. */
function Arrow({ route, view }: { route: readonly string[]; view: View }) {
  const { x, y, heading } = between(route.at(-2) ?? '', route.at(-1) ?? '', 0.45, view);
  return <path class="last-head" d="M-4-5L6 0L-4 5Z" transform={`translate(${x} ${y}) rotate(${heading})`} />;
}
