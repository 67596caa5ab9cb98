// The scans that the other tests rely on find what they look for, and leave alone what everybody may know.
import { expect, test } from '@playwright/test';
import { leaks, shownLeaks } from './leaks.ts';

const view = (piece: object) => JSON.stringify({ data: { match: { mySeat: 'S', board: [piece] } } });

test('payloads are looked through', () => {
  const found = (piece: object) => leaks([view(piece)]).length;
  expect(found({ seat: 'S', identity: 'BOMB', faceDown: true })).toBe(0);
  expect(found({ seat: 'N', identity: null, faceDown: true })).toBe(0);
  expect(found({ seat: 'E', identity: 'FLAG', faceDown: false })).toBe(0);
  expect(found({ seat: 'N', identity: 'BOMB', faceDown: true })).toBe(1);
  expect(found({ seat: 'E', identity: 'FLAG', faceDown: true })).toBe(1);
  expect(leaks(['page error: no'])).toHaveLength(1);
});

test('documents are looked through', async ({ page }) => {
  const piece = (side: string, rank: string) =>
    `<g class="piece side-${side}"><text class="rank">${rank}</text></g>`;
  const node = (text: string) => `<g role="button" data-at="s11" aria-label="${text}"></g>`;
  const found = async (extra: string, mine = 'mine') => {
    const pieces = `<g class="pieces">${piece('E', '旗')}${extra}</g>`;
    const nodes = `<g class="nodes">${node('自己的司令')}${node('东方暗子')}${node('东方军旗')}</g>`;
    await page.setContent(`<div class="seat side-S ${mine}"></div><svg>${pieces}${nodes}</svg>`);
    return (await shownLeaks(page)).length;
  };
  expect(await found('')).toBe(0);
  expect(await found(piece('S', '司'))).toBe(0);
  expect(await found(piece('S', '司'), '')).toBe(1);
  expect(await found(piece('E', '司'))).toBe(1);
  expect(await found(node('东方司令'))).toBe(1);
  expect(await found('<title>工兵</title>')).toBe(1);
  expect(await found('<g data-piece="BOMB"></g>')).toBe(1);
});
