// @vitest-environment node
// Geometry and graph against the contract's board, and the view's turning.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { between, pathThrough, rails } from '../src/board/lines.ts';
import { NODES, SEATS } from '../src/board/nodes.ts';
import { armOf, boxOf, fit, nearest, regionBox, toward, turned } from '../src/board/tracks.ts';
import { BY_ANY, BY_RAIL, LINES } from '../src/replay/graph.ts';

interface Board {
  nodes: { id: string; index: number; x: number; y: number; kind: string }[];
  rail_lines: { positions: string[] }[];
  neighbours: Record<string, string[]>;
  rail_neighbours: Record<string, string[]>;
}
const path = join(import.meta.dirname, '../../../tests/vectors/siguo/board.json');
const board = JSON.parse(readFileSync(path, 'utf8')) as Board;

describe('the board', () => {
  it('has the contract’s positions in its order', () => {
    const own = NODES.map(({ id, index, x, y, kind }) => ({ id, index, x, y, kind }));
    expect(own).toEqual(board.nodes.map(({ id, index, x, y, kind }) => ({ id, index, x, y, kind })));
  });

  it('has the contract’s neighbours and lines', () => {
    expect(Object.fromEntries(BY_ANY)).toEqual(board.neighbours);
    for (const [id, list] of Object.entries(board.rail_neighbours)) expect(BY_RAIL.get(id)).toEqual(list);
    const sorted = (lines: readonly (readonly string[])[]) =>
      lines.map((line) => [...line].sort().join()).sort();
    expect(sorted(LINES)).toEqual(sorted(board.rail_lines.map((line) => line.positions)));
  });
});

describe('the view', () => {
  it('puts every seat at the bottom and keeps the order of play to the right', () => {
    for (const seat of SEATS) {
      const own = NODES.find((node) => node.seat === seat && node.row === 6 && node.col === 1);
      expect(own && turned(own, seat)).toEqual({ x: 6, y: 16 });
      expect(armOf(seat, seat)).toBe('bottom');
    }
    expect(armOf('E', 'S')).toBe('right');
    expect(armOf('S', 'E')).toBe('left');
    expect(armOf('W', 'E')).toBe('top');
  });

  it('gives square cells of 44 pixels on a desktop and a tall own arm on a phone', () => {
    const desktop = fit(880, 800);
    expect(desktop.widths[0]).toBeCloseTo(desktop.heights[16] ?? 0);
    expect(desktop.widths[0]).toBeGreaterThanOrEqual(44);
    const phone = fit(382, 650);
    expect(phone.widths[8]).toBeGreaterThan((phone.widths[0] ?? 0) * 1.3);
    expect(phone.heights[16]).toBeGreaterThanOrEqual(34);
    expect(phone.width).toBeLessThanOrEqual(382.5);
    expect(phone.height).toBeLessThanOrEqual(650.5);
  });

  it('makes every position of a zoomed region at least 44 pixels wide on a phone', () => {
    const tracks = fit(382, 560);
    for (const region of ['bottom', 'left', 'right', 'top', 'centre'] as const) {
      const box = regionBox(region, tracks);
      const scale = Math.min(382 / box.width, 560 / box.height);
      for (const node of NODES) {
        const here = node.seat ? armOf(node.seat, 'S') : 'centre';
        const { width } = boxOf(node, { tracks, bottom: 'S' });
        if (here === region) expect(width * scale, `${region} ${node.id}`).toBeGreaterThanOrEqual(44);
      }
    }
  });

  it('finds the nearest candidate within reach and none beyond', () => {
    const view = { tracks: fit(800, 800), bottom: 'S' as const };
    const cell = boxOf({ x: 6, y: 11 }, view);
    expect(nearest({ x: cell.x + 3, y: cell.y - 2 }, ['s11', 's15'], view, 22)).toBe('s11');
    expect(nearest({ x: cell.x + 60, y: cell.y + 60 }, ['s11'], view, 22)).toBeNull();
  });

  it('walks by arrows over every position', () => {
    const view = { tracks: fit(800, 800), bottom: 'N' as const };
    const seen = new Set(['n33']);
    const queue = ['n33'];
    for (const at of queue) {
      for (const [dx, dy] of [
        [0, 1],
        [0, -1],
        [1, 0],
        [-1, 0],
      ] as const) {
        const next = toward(at, dx, dy, view);
        if (!seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
      }
    }
    expect(seen.size).toBe(129);
  });

  it('bends routes where the rail bends', () => {
    const view = { tracks: fit(800, 800), bottom: 'S' as const };
    expect(pathThrough(['s15', 'e11'], view)).toMatch(/^M[\d. ]+Q/);
    expect(pathThrough(['s15', 'c33'], view)).toMatch(/^M[\d. ]+L/);
    expect(rails(view).match(/Q/g)).toHaveLength(4);
    const straight = between('c11', 'c12', 0.5, view);
    expect(straight.heading).toBeCloseTo(0);
  });
});
