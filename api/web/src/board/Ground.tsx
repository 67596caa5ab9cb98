// The board without pieces: areas, roads, rails, posts, camps, headquarters. Drawn once per view.

import { words } from '../i18n/index.ts';
import { memo } from '../ui/memo.ts';
import { rails, roads } from './lines.ts';
import { NODES, type Node, SEATS } from './nodes.ts';
import { armOf, boxOf, regionBox, type View } from './tracks.ts';

/** The board's ground. */
export const Ground = memo(
  function Ground({ view, seal }: { view: View; seal: string }) {
    const track = rails(view);
    const side = Math.min(view.tracks.widths[6] ?? 0, view.tracks.heights[6] ?? 0);
    return (
      <g class="ground" aria-hidden="true">
        {SEATS.map((seat) => {
          const arm = armOf(seat, view.bottom);
          const box = regionBox(arm, view.tracks);
          const inset = side * 0.06;
          return (
            <rect
              key={seat}
              class={`area side-${seat}`}
              x={box.x + inset}
              y={box.y + inset}
              width={box.width - 2 * inset}
              height={box.height - 2 * inset}
              rx={side * 0.22}
            />
          );
        })}
        <path class="road" d={roads(view)} />
        <path class="rail-bed" d={track} stroke-width={Math.max(3.4, side * 0.115)} />
        <path
          class="rail-ties"
          d={track}
          stroke-width={Math.max(1.4, side * 0.052)}
          stroke-dasharray={`${Math.max(3, side * 0.13)} ${Math.max(3, side * 0.13)}`}
        />
        {NODES.map((node) => (
          <Post key={node.id} node={node} view={view} seal={seal} />
        ))}
      </g>
    );
  },
  (before, after) => before.view === after.view && before.seal === after.seal,
);

function Post({ node, view, seal }: { node: Node; view: View; seal: string }) {
  const { x, y, width, height } = boxOf(node, view);
  const side = Math.min(width, height);
  if (node.kind === 'camp') {
    return (
      <g class="camp" transform={`translate(${x} ${y})`}>
        <circle r={side * 0.41} />
        <circle class="camp-ring" r={side * 0.34} />
        {seal && (
          <text dy="0.35em" font-size={Math.max(9, side * 0.36)}>
            {seal}
          </text>
        )}
      </g>
    );
  }
  if (node.kind === 'headquarters') {
    const w = width * 0.74;
    const h = height * 0.74;
    return (
      <g class="headquarters" transform={`translate(${x} ${y})`}>
        <path
          d={`M${-w / 2} ${h / 2}V${-h * 0.1}A${w / 2} ${h * 0.42} 0 0 1 ${w / 2} ${-h * 0.1}V${h / 2}Z`}
        />
        <path
          class="gate"
          d={`M${-w * 0.2} ${h / 2}V${h * 0.12}A${w * 0.2} ${h * 0.2} 0 0 1 ${w * 0.2} ${h * 0.12}V${h / 2}Z`}
        />
      </g>
    );
  }
  const centre = node.seat === null;
  const w = width * (centre ? 0.56 : 0.6);
  const h = Math.min(height * 0.5, w * 0.86);
  return <rect class="post" x={x - w / 2} y={y - h / 2} width={w} height={h} rx={side * 0.1} />;
}

/** The character of camps in the language of now. */
export const campSeal = (): string => words().board.campSeal;
