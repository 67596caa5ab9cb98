// @vitest-environment node
// Formations: the contract's legal ones are whole, random ones are legal, and files of other programs are read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeOf, type Piece } from '../src/board/nodes.ts';
import { FormationFault, readFormation } from '../src/formation/read.ts';
import { isWhole, mayStand, maySwap, PLACES, type Placed, randomFormation } from '../src/formation/rules.ts';
import en from '../src/i18n/en.formation.ts';

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

/** What a file is refused with. */
function fault(file: Uint8Array): string {
  try {
    readFormation(file);
  } catch (error) {
    if (error instanceof FormationFault) return error.tell(en);
    throw error;
  }
  return 'it was read';
}

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
    expect(isWhole(read)).toBe(true);
    expect(read.find(({ row, col }) => row === 1 && col === 3)).toEqual(
      pieces.find(({ row, col }) => row === 1 && col === 3),
    );
    file[26] = 99;
    expect(fault(file)).toMatch(/^The file has 26 pieces/);
    file[26] = 0;
    file[20] = 99;
    expect(fault(file)).toMatch(/^Piece 1 of the file, “⁨99⁩”/);
  });

  it('reads text from the rear row', () => {
    const letters = 'DFDPL' + 'NTYDB' + 'GNP' + 'EYNP' + 'BLE' + 'STJGE';
    const read = readFormation(bytes(`SIGUOSET|v=1|${letters}`));
    expect(read[0]).toEqual({ row: 6, col: 1, piece: 'MINE' });
    expect(read[1]).toEqual({ row: 6, col: 2, piece: 'FLAG' });
    expect(read.at(-1)).toEqual({ row: 1, col: 5, piece: 'ENGINEER' });
    expect(PLACES).toHaveLength(25);
  });

  it('takes the names of pieces as the API has them', () => {
    const loud = own.pieces.map((one) => ({ ...one, piece: one.piece.toUpperCase() }));
    expect(readFormation(bytes(JSON.stringify({ ...own, pieces: loud })))).toEqual(pieces);
  });

  it.each([
    ['', /^No formation could be read/],
    ['{', /no valid JSON/],
    ['{}', /^No formation could be read/],
    ['[]', /^No formation could be read/],
    ['null', /^No formation could be read/],
    ['{"format":"yibu-formation","version":2,"pieces":[]}', /has version ⁨2⁩; only version 1/],
    ['{"format":"yibu-formation","version":1}', /has 0 pieces instead of 25/],
    [`SIGUOSET|v=1|${'X'.repeat(25)}`, /^Piece 1 of the file, “⁨X⁩”, is no known piece/],
    ['SIGUOSET|v=1|DFDPL', /has 5 pieces instead of 25/],
    [`layout=${'99 '.repeat(25)}`, /^Piece 1 of the file, “⁨99⁩”/],
  ])('refuses %j', (text, why) => {
    expect(fault(bytes(text))).toMatch(why);
  });

  it('says which piece of its own is wrong, and how', () => {
    const changed = (at: number, change: object) => {
      const list = own.pieces.map((one, i) => (i === at ? { ...one, ...change } : one));
      return fault(bytes(JSON.stringify({ ...own, pieces: list })));
    };
    const [first] = pieces as [Placed];
    expect(changed(4, { row: 1e9, col: 2 })).toMatch(/^Piece 5 .* row ⁨1000000000⁩, column ⁨2⁩, where no piece/);
    expect(changed(4, { row: 2, col: 2 })).toMatch(/^Piece 5 .* where no piece can be placed/);
    expect(changed(4, { row: first.row, col: first.col })).toMatch(
      new RegExp(`^Piece 5 .* row ${first.row}, column ${first.col}, where another stands`),
    );
    expect(changed(6, { piece: 'king\u202e'.repeat(9) })).toMatch(
      /^Piece 7 of the file, “⁨.{20}⁩”, is no known/,
    );
    expect(changed(6, { piece: ['flag'] })).toMatch(/^Piece 7|^Of the/);
    const flags = own.pieces.map((one) => ({ ...one, piece: 'flag' }));
    expect(fault(bytes(JSON.stringify({ ...own, pieces: flags })))).toMatch(
      /there are 25 in the file instead of 1/,
    );
    expect(fault(bytes(JSON.stringify({ ...own, pieces: [null] })))).toMatch(/has 1 piece instead of 25/);
    expect(fault(bytes(JSON.stringify({ ...own, pieces: Array(25).fill(null) })))).toMatch(
      /^Piece 1 .*“⁨undefined⁩”/,
    );
  });
});
