// From grid to pixels: the view is rotated on the grid, then two arrays of tracks give the pixels. The picture
// itself is never rotated, so that labels stay upright.
import { NODES, type Node, nodeOf, SEATS, type Seat, seatAfter } from './nodes.ts';

/** Where an arm of the cross lies on the screen. */
export type Arm = 'bottom' | 'right' | 'top' | 'left';
const ARMS: readonly Arm[] = ['bottom', 'right', 'top', 'left'];

/** Parts of the board that can be zoomed to. */
export type Region = 'all' | Arm | 'centre';

/** A point or a box in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Pixels of the 17 columns and rows. */
export interface Tracks {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly widths: readonly number[];
  readonly heights: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** The gap between an arm and the palace, in cells beyond the usual distance: the arcs need it. */
const GAP = 0.25;
const MARGIN = 0.14;

function line(sizes: readonly number[]): { centres: number[]; total: number } {
  const centres: number[] = [];
  let at = Math.min(sizes[0] ?? 0, sizes[16] ?? 0) * MARGIN;
  sizes.forEach((size, i) => {
    if (i === 6 || i === 11) at += GAP * (((sizes[i - 1] ?? 0) + size) / 2);
    centres.push(at + size / 2);
    at += size;
  });
  return { centres, total: at + (sizes[16] ?? 0) * MARGIN };
}

function arrange(low: number, middle: number, high: number): number[] {
  return Array.from({ length: 17 }, (_, i) => (i < 6 ? low : i < 11 ? middle : high));
}

/** How wide the middle columns and how tall the own rows are on a narrow screen, against the side arms. */
const WIDE_MIDDLE = 1.35;
const TALL_OWN = 1.3;
const TALLEST = 1.5;

/** Tracks that fill a box: square cells where there is room, else narrow side arms and a tall own arm. */
export function fit(width: number, height: number): Tracks {
  const unit = line(arrange(1, 1, 1)).total;
  const square = Math.min(width, height) / unit;
  let widths = arrange(square, square, square);
  let heights = widths;
  if (square < 36 && height > width) {
    const narrow = width / line(arrange(1, WIDE_MIDDLE, 1)).total;
    const tall = Math.min(height / line(arrange(1, 1, TALL_OWN)).total, narrow * TALLEST);
    widths = arrange(narrow, narrow * WIDE_MIDDLE, narrow);
    heights = arrange(tall, tall, tall * TALL_OWN);
  }
  const x = line(widths);
  const y = line(heights);
  return { xs: x.centres, ys: y.centres, widths, heights, width: x.total, height: y.total };
}

/** Where a position is on the grid when a seat sits at the bottom. */
export function turned(node: Point, bottom: Seat): Point {
  let { x, y } = node;
  for (let i = SEATS.indexOf(bottom); i > 0; i -= 1) [x, y] = [16 - y, x];
  return { x, y };
}

/** Which arm a seat has when another one sits at the bottom. */
export function armOf(seat: Seat, bottom: Seat): Arm {
  return ARMS[(SEATS.indexOf(seat) - SEATS.indexOf(bottom) + 4) % 4] as Arm;
}

/** Which seat has an arm. */
export const seatOn = (arm: Arm, bottom: Seat): Seat => seatAfter(bottom, ARMS.indexOf(arm));

/** A view: tracks with a seat at the bottom. */
export interface View {
  readonly tracks: Tracks;
  readonly bottom: Seat;
}

/** The box of a position. */
export function boxOf(node: Point, { tracks, bottom }: View): Box {
  const { x, y } = turned(node, bottom);
  return {
    x: tracks.xs[x] ?? 0,
    y: tracks.ys[y] ?? 0,
    width: tracks.widths[x] ?? 0,
    height: tracks.heights[y] ?? 0,
  };
}

const SPAN: Record<Exclude<Region, 'all'>, [number, number, number, number]> = {
  bottom: [6, 11, 10, 16],
  right: [11, 6, 16, 10],
  top: [6, 0, 10, 5],
  left: [0, 6, 5, 10],
  centre: [5, 5, 11, 11],
};

/** The part of the picture that shows a region. */
export function regionBox(region: Region, tracks: Tracks): Box {
  if (region === 'all') return { x: 0, y: 0, width: tracks.width, height: tracks.height };
  const [x0, y0, x1, y1] = SPAN[region];
  const at = (list: readonly number[], i: number) => list[i] ?? 0;
  const x = at(tracks.xs, x0) - at(tracks.widths, x0) * 0.64;
  const y = at(tracks.ys, y0) - at(tracks.heights, y0) * 0.64;
  return {
    x,
    y,
    width: at(tracks.xs, x1) + at(tracks.widths, x1) * 0.64 - x,
    height: at(tracks.ys, y1) + at(tracks.heights, y1) * 0.64 - y,
  };
}

/** The position nearest to a point among some, within a reach in pixels of the picture. */
export function nearest(point: Point, among: Iterable<string>, view: View, reach: number): string | null {
  let best: string | null = null;
  let distance = reach;
  for (const id of among) {
    const node = nodeOf(id);
    if (!node) continue;
    const box = boxOf(node, view);
    const away = Math.hypot(box.x - point.x, box.y - point.y);
    const inside = Math.abs(box.x - point.x) < box.width / 2 && Math.abs(box.y - point.y) < box.height / 2;
    if (inside) return id;
    if (away <= distance) {
      best = id;
      distance = away;
    }
  }
  return best;
}

/** Which position an arrow key leads to: near, and not far to the side. */
export function toward(from: string, dx: number, dy: number, view: View): string {
  const start = nodeOf(from);
  if (!start) return from;
  const origin = turned(start, view.bottom);
  let best = from;
  let score = Number.POSITIVE_INFINITY;
  for (const node of NODES) {
    const at = turned(node, view.bottom);
    const ahead = (at.x - origin.x) * dx + (at.y - origin.y) * dy;
    const aside = Math.abs((at.x - origin.x) * dy) + Math.abs((at.y - origin.y) * dx);
    if (ahead > 0 && ahead + 2.5 * aside < score) {
      best = node.id;
      score = ahead + 2.5 * aside;
    }
  }
  return best;
}

/** All positions as a reader goes over them: rows from the top, each from the left. */
export function inReadingOrder(bottom: Seat): readonly Node[] {
  return [...NODES].sort((a, b) => {
    const p = turned(a, bottom);
    const q = turned(b, bottom);
    return p.y - q.y || p.x - q.x;
  });
}
