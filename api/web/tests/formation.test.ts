// @vitest-environment node
// Formations: the contract's legal ones are whole, random ones are legal, and files of other programs are read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeOf, type Piece } from '../src/board/nodes.ts';
import { readFormation } from '../src/formation/read.ts';
import { isWhole, mayStand, maySwap, PLACES, type Placed, randomFormation } from '../src/formation/rules.ts';

interface Item {
  index: number;
  seat: string;
  formation: Record<string, string>;
  broken: [string, string][];
}
const path = join(import.meta.dirname, '../../../tests/vectors/siguo/formations.json');
const items = (JSON.parse(readFileSync(path, 'utf8')) as { items: Item[] }).items;

function relative(item: Item): Placed[] {
  return Object.entries(item.formation).flatMap(([at, piece]) => {
    const node = nodeOf(at);
    return node ? [{ row: node.row, col: node.col, piece: piece.toUpperCase() as Piece }] : [];
  });
}
const isLegal = (pieces: readonly Placed[]) =>
  isWhole(pieces) && pieces.every(({ piece, row, col }) => mayStand(piece, row, col));

/** Small and repeatable. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

describe('formations', () => {
  it('judge like the contract', () => {
    for (const item of items) {
      const own = Object.keys(item.formation).every((at) => nodeOf(at)?.seat === item.seat.toUpperCase());
      expect(own && isLegal(relative(item)), `formation ${item.index}`).toBe(item.broken.length === 0);
    }
  });

  it('are legal when made at random', () => {
    for (let seed = 1; seed <= 300; seed += 1)
      expect(isLegal(randomFormation(dice(seed))), `seed ${seed}`).toBe(true);
  });

  it('swap only where both may stand', () => {
    const bomb: Placed = { row: 2, col: 1, piece: 'BOMB' };
    expect(maySwap(bomb, { row: 1, col: 1, piece: 'CAPTAIN' })).toBe(false);
    expect(maySwap(bomb, { row: 3, col: 1, piece: 'CAPTAIN' })).toBe(true);
  });
});

describe('formation files', () => {
  const pieces = randomFormation(dice(7));
  const own = {
    format: 'yibu-formation',
    version: 1,
    name: 'x',
    pieces: pieces.map((one) => ({ ...one, piece: one.piece.toLowerCase() })),
  };
  const bytes = (text: string) => new TextEncoder().encode(text);

  it('reads its own', () => expect(readFormation(bytes(JSON.stringify(own)))).toEqual(pieces));

  it('reads .jql from the front row', () => {
    const codes: Piece[] = [
      'FLAG',
      'MINE',
      'BOMB',
      'COMMANDER',
      'GENERAL',
      'MAJOR_GENERAL',
      'BRIGADIER',
      'COLONEL',
      'MAJOR',
      'CAPTAIN',
      'LIEUTENANT',
      'ENGINEER',
    ];
    const file = new Uint8Array(50);
    file.set(bytes('QQGame JQL File\0'));
    file.set([0x57, 4, 0, 0], 16);
    for (const { row, col, piece } of pieces) file[20 + (row - 1) * 5 + col - 1] = codes.indexOf(piece) + 2;
    const read = readFormation(file);
    expect(read && isWhole(read)).toBe(true);
    expect(read?.find(({ row, col }) => row === 1 && col === 3)).toEqual(
      pieces.find(({ row, col }) => row === 1 && col === 3),
    );
    file[26] = 5;
    expect(readFormation(file)).toBeNull();
  });

  it('reads text from the rear row', () => {
    const letters = 'DFDPL' + 'NTYDB' + 'GNP' + 'EYNP' + 'BLE' + 'STJGE';
    const read = readFormation(bytes(`SIGUOSET|v=1|${letters}`));
    expect(read?.[0]).toEqual({ row: 6, col: 1, piece: 'MINE' });
    expect(read?.[1]).toEqual({ row: 6, col: 2, piece: 'FLAG' });
    expect(read?.at(-1)).toEqual({ row: 1, col: 5, piece: 'ENGINEER' });
    expect(PLACES).toHaveLength(25);
  });

  it('refuses what it cannot read', () => {
    for (const text of [
      '',
      '{',
      '{}',
      '[]',
      'null',
      '{"format":"yibu-formation","version":2,"pieces":[]}',
      'SIGUOSET|v=1|XXXXXXXXXXXXXXXXXXXXXXXXX',
    ]) {
      expect(readFormation(bytes(text)), text).toBeNull();
    }
  });
});
