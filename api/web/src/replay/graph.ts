// Roads and rails as the rules see them: neighbours and lines. The drawing has its own, simpler lists.
import { NODES, nodeId, nodeOf, SEATS, seatAfter } from '../board/nodes.ts';

/** The 18 rail lines, each position by position. A piece may go any way along one of them. */
export const LINES: readonly (readonly string[])[] = buildLines();

function buildLines(): string[][] {
  const lines: string[][] = [];
  const column = (axis: 'x' | 'y', at: number, low: number, high: number) =>
    NODES.filter((node) => node[axis] === at)
      .map((node) => ({ id: node.id, along: axis === 'x' ? node.y : node.x }))
      .filter(({ along }) => along >= low && along <= high)
      .sort((a, b) => a.along - b.along)
      .map(({ id }) => id);
  for (const seat of SEATS) {
    for (const row of [1, 5]) lines.push([1, 2, 3, 4, 5].map((col) => nodeId(seat, row, col)));
  }
  for (const axis of ['x', 'y'] as const) {
    lines.push(column(axis, 6, 1, 15), column(axis, 8, 5, 11), column(axis, 10, 1, 15));
  }
  for (const seat of SEATS) {
    const next = seatAfter(seat, 1);
    lines.push([
      ...[5, 4, 3, 2, 1].map((row) => nodeId(seat, row, 5)),
      ...[1, 2, 3, 4, 5].map((row) => nodeId(next, row, 1)),
    ]);
  }
  return lines;
}

const byIndex = (a: string, b: string): number => (nodeOf(a)?.index ?? 0) - (nodeOf(b)?.index ?? 0);

function neighbours(edges: Iterable<readonly [string, string]>): Map<string, string[]> {
  const sets = new Map<string, Set<string>>(NODES.map((node) => [node.id, new Set()]));
  for (const [a, b] of edges) {
    sets.get(a)?.add(b);
    sets.get(b)?.add(a);
  }
  return new Map([...sets].map(([id, set]) => [id, [...set].sort(byIndex)]));
}

function* railEdges(): Iterable<readonly [string, string]> {
  for (const line of LINES) {
    for (let i = 1; i < line.length; i += 1) yield [line[i - 1] ?? '', line[i] ?? ''];
  }
}

function* roadEdges(): Iterable<readonly [string, string]> {
  for (const { seat, row, col, id, kind } of NODES) {
    if (!seat) continue;
    if (col < 5) yield [id, nodeId(seat, row, col + 1)];
    if (row < 6) yield [id, nodeId(seat, row + 1, col)];
    if (kind !== 'camp') continue;
    for (const [r, c] of [
      [-1, -1],
      [-1, 1],
      [1, -1],
      [1, 1],
    ] as const)
      yield [id, nodeId(seat, row + r, col + c)];
  }
}

/** Neighbours by rail, in index order: a flight's route depends on the order. */
export const BY_RAIL: ReadonlyMap<string, readonly string[]> = neighbours(railEdges());
/** Neighbours by road or rail, in index order. */
export const BY_ANY: ReadonlyMap<string, readonly string[]> = neighbours([...railEdges(), ...roadEdges()]);

/** The lines that a position lies on, with its place in each. */
export const LINES_AT: ReadonlyMap<string, readonly { line: readonly string[]; at: number }[]> = new Map(
  NODES.map((node) => [
    node.id,
    LINES.filter((line) => line.includes(node.id)).map((line) => ({ line, at: line.indexOf(node.id) })),
  ]),
);
