// Private marks: on hidden pieces of other seats in a match that runs, by handle, at most four characters.
import { expect, it } from 'vitest';
import type { TableFragment } from '../src/api/generated.ts';
import { firstFour } from '../src/pages/table/MarkSheet.tsx';
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
    { handle: 'e11', mark: '司' },
    { handle: 'n62', mark: '雷' },
  ]);
  expect(pieces.map((piece) => piece.mark)).toEqual([undefined, '司', undefined]);
  expect(marked(board, [])).toBe(board);
});

it('have four characters as people count them', () => {
  expect(firstFour('司令炸弹?')).toBe('司令炸弹');
  expect(firstFour('👨‍👩‍👧‍👦é12345')).toBe('👨‍👩‍👧‍👦é12');
});
