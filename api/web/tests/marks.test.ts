// Private marks: on hidden pieces of other seats in a match that runs, by handle, a text, a colour or both.
import { expect, it } from 'vitest';
import type { TableFragment } from '../src/api/generated.ts';
import { beginning } from '../src/board/signs.ts';
import { speak } from '../src/i18n/index.ts';
import { describe as say } from '../src/pages/table/describe.ts';
import { fitting } from '../src/pages/table/MarkSheet.tsx';
import { marked, mayMark } from '../src/pages/table/marks.ts';

const board = [
  { at: 's11', handle: 's11', seat: 'S', identity: 'COLONEL' },
  { at: 'c22', handle: 'e11', seat: 'E', identity: null },
  { at: 'n62', handle: 'n62', seat: 'N', identity: 'FLAG' },
] as const;
const view = (more: Partial<TableFragment> = {}) =>
  ({ phase: 'PLAYING', mySeat: 'S', board, ...more }) as unknown as TableFragment;

it('may be set on what is hidden and somebody else’s', () => {
  expect(mayMark(view(), 'c22')).toBe(true);
  expect(mayMark(view(), 's11')).toBe(false);
  expect(mayMark(view(), 'n62')).toBe(false);
  expect(mayMark(view(), 'c11')).toBe(false);
  expect(mayMark(view({ phase: 'ENDED' }), 'c22')).toBe(false);
  expect(mayMark(view({ mySeat: null }), 'c22')).toBe(false);
});

it('follow the piece by its handle and never cover an identity', () => {
  const pieces = marked(board, [
    { handle: 'e11', mark: '司', colour: 'RED' },
    { handle: 'n62', mark: '雷', colour: null },
  ]);
  expect(pieces.map((piece) => piece.mark)).toEqual([undefined, '司', undefined]);
  expect(pieces[1]?.colour).toBe('RED');
  expect(marked(board, [])).toBe(board);
});

it('have forty characters as people count them, and three of them on the piece', () => {
  const family = '👨‍👩‍👧‍👦';
  expect(fitting('司'.repeat(41))).toBe('司'.repeat(40));
  expect(fitting(family.repeat(40))).toBe(family.repeat(17));
  expect(beginning(`${family}é炸弹`, 3)).toBe(`${family}é炸`);
});

it('are said in whole, the colour by its name', async () => {
  await speak();
  const around = { selected: null, chosen: null, targets: new Map(), movable: new Set<string>() };
  const label = (mark: string, colour: 'VIOLET' | null) =>
    say('c22', marked(board, [{ handle: 'e11', mark, colour }]), 'S', around);
  expect(label('可能是司令', null)).toContain('“可能是司令”');
  expect(label('可能是司令', 'VIOLET')).toContain('“可能是司令 · violet”');
  expect(label('', 'VIOLET')).toContain('“violet”');
  expect(label('', null)).not.toContain('“');
});
