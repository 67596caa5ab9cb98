// Roads, rails and arcs as SVG paths; the same curve draws a rail and a route over it.
import { NODES, nodeId, nodeOf, SEATS, type Seat, seatAfter } from './nodes.ts';
import { armOf, boxOf, type Point, type View } from './tracks.ts';

/** The four arcs: the right end of a front row and the left end of the next seat's. */
export const ARCS: readonly [string, string][] = SEATS.map((seat) => [
  nodeId(seat, 1, 5),
  nodeId(seatAfter(seat, 1), 1, 1),
]);

const isArc = (a: string, b: string): boolean =>
  ARCS.some(([p, q]) => (p === a && q === b) || (p === b && q === a));

const point = (id: string, view: View): Point => {
  const node = nodeOf(id);
  return node ? boxOf(node, view) : { x: 0, y: 0 };
};

const text = ({ x, y }: Point): string => `${round(x)} ${round(y)}`;
const round = (n: number): number => Math.round(n * 10) / 10;

/** Where the rail bends: below the upright arm's end, beside the lying arm's. */
function bend(a: string, b: string, view: View): Point {
  const upright = (id: string) => {
    const arm = armOf(nodeOf(id)?.seat as Seat, view.bottom);
    return arm === 'bottom' || arm === 'top';
  };
  const [column, row] = upright(a) ? [a, b] : [b, a];
  return { x: point(column, view).x, y: point(row, view).y };
}

/** A path through positions: straight, and along the curve where two are joined by an arc. */
export function pathThrough(ids: readonly string[], view: View): string {
  return ids
    .map((id, i) => {
      const here = point(id, view);
      const before = ids[i - 1];
      if (before === undefined) return `M${text(here)}`;
      return isArc(before, id) ? `Q${text(bend(before, id, view))} ${text(here)}` : `L${text(here)}`;
    })
    .join('');
}

/** A point between two neighbours on the way, and where it heads there, in degrees. */
export function between(a: string, b: string, part: number, view: View): Point & { heading: number } {
  const from = point(a, view);
  const to = point(b, view);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const by = isArc(a, b) ? bend(a, b, view) : middle;
  const at = (axis: 'x' | 'y') =>
    (1 - part) ** 2 * from[axis] + 2 * (1 - part) * part * by[axis] + part ** 2 * to[axis];
  const toward = (axis: 'x' | 'y') => (1 - part) * (by[axis] - from[axis]) + part * (to[axis] - by[axis]);
  return { x: at('x'), y: at('y'), heading: (Math.atan2(toward('y'), toward('x')) * 180) / Math.PI };
}

/** The rails, one path. */
export function rails(view: View): string {
  const lines: string[][] = [];
  for (const seat of SEATS) {
    const at = (row: number, col: number) => nodeId(seat, row, col);
    lines.push([at(5, 1), at(1, 1), at(1, 5), at(5, 5), at(5, 1)]);
  }
  lines.push(['s11', 'n15'], ['s13', 'n13'], ['s15', 'n11'], ['e11', 'w15'], ['e13', 'w13'], ['e15', 'w11']);
  for (const [a, b] of ARCS) lines.push([a, b]);
  return lines.map((ids) => pathThrough(ids, view)).join('');
}

/** The roads, one path; where a rail runs as well, the rail covers them. */
export function roads(view: View): string {
  const parts: string[] = [];
  for (const seat of SEATS) {
    const at = (row: number, col: number) => nodeId(seat, row, col);
    for (const row of [2, 3, 4, 6]) parts.push(pathThrough([at(row, 1), at(row, 5)], view));
    for (const col of [2, 3, 4]) parts.push(pathThrough([at(1, col), at(6, col)], view));
    for (const col of [1, 5]) parts.push(pathThrough([at(5, col), at(6, col)], view));
  }
  for (const camp of NODES) {
    if (camp.kind !== 'camp' || !camp.seat) continue;
    for (const [row, col] of [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ] as const) {
      parts.push(pathThrough([camp.id, nodeId(camp.seat, camp.row + row, camp.col + col)], view));
    }
  }
  return parts.join('');
}
