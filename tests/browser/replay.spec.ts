// The replay viewer with a file made from a whole game of the contract: play, step, jump, hide, bad files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { type Game, wholeFile } from '../../api/web/tests/wholeFile.ts';
import { expectAccessible, expectHittable } from './accessible.ts';
import { DEVICES } from './people.ts';

const NAMES = ['南山', '东篱', '北斗', '西窗'];

/** A whole game of the contract. */
function whole(): Game {
  const games = gunzipSync(
    readFileSync(join(import.meta.dirname, '../vectors/siguo/games.jsonl.gz')),
  ).toString();
  return games
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Game)
    .find(({ options }) => options.order === 'ccw' && options.seats === 'senw') as Game;
}

async function open(page: Page, value: object): Promise<void> {
  await page.goto('/replay');
  await page.locator('input[type=file]').setInputFiles({
    name: 'game.yibu-replay.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(value)),
  });
}

/** Whether the line of the current step stands inside its list. */
const currentInView = (page: Page) =>
  page.locator('.log ol').evaluate((list) => {
    const line = list.querySelector('[aria-current]')?.getBoundingClientRect();
    const room = list.getBoundingClientRect();
    return line !== undefined && line.top >= room.top - 1 && line.bottom <= room.bottom + 1;
  });

for (const device of ['desktop', 'phone'] as const) {
  test(`a replay on a ${device}`, async ({ browser }) => {
    const context = await browser.newContext(DEVICES[device]);
    const page = await context.newPage();
    const asked: string[] = [];
    await page.goto('/replay');
    const picker = page.locator('input[type=file]');
    await picker.setInputFiles({
      name: 'bad.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"format":"yibu-replay","version":9}'),
    });
    await expect(page.getByRole('alert')).toContainText('9');
    page.on('request', (request) => asked.push(request.method()));
    await picker.setInputFiles({
      name: 'game.yibu-replay.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(wholeFile(whole(), NAMES))),
    });
    await expect(page.locator('.piece.open')).toHaveCount(100);
    await expectAccessible(page, 'viewer');
    await expectHittable(page, 'viewer');

    await page.getByRole('button', { name: '前进一步' }).click();
    await page.getByRole('button', { name: '前进一步' }).click();
    await expect(page.locator('.status')).toContainText('第 2 /');
    await page.getByRole('button', { name: '后退一步' }).click();
    await expect(page.locator('.status')).toContainText('第 1 /');
    await page.getByRole('slider').fill('40');
    await expect(page.locator('.status')).toContainText('第 40 /');
    const pieces = await page.locator('.piece').count();
    expect(pieces).toBeLessThan(100);

    await page.locator('.owner', { hasText: '东篱' }).click();
    await expect(page.locator('.piece.side-E.open')).toHaveCount(0);
    await expect(page.locator('.piece.side-S.dark')).toHaveCount(0);
    await page.getByLabel('视角').selectOption('N');
    await expect(page.locator('.piece.side-N.dark')).toHaveCount(0);
    await expect(page.locator('.piece.side-S.open')).toHaveCount(0);
    await page.getByLabel('视角').selectOption('open');
    await expect(page.locator('.piece.dark')).toHaveCount(0);

    await page.getByRole('button', { name: '全部行动' }).click();
    await page.locator('.log .line').nth(9).click();
    await expect(page.locator('.status')).toContainText('第 10 /');
    await page.getByRole('button', { name: '播放' }).click();
    await expect(page.locator('.status')).toContainText('第 11 /');
    await page.getByRole('button', { name: '停止' }).click();
    expect(asked).toEqual([]);
    await context.close();
  });
}

test('a long replay shows a window of its lines, the current one in view', async ({ page }) => {
  const game = whole();
  const board = Object.fromEntries(
    Object.entries(game.formations).flatMap(([seat, formation]) =>
      Object.entries(formation).map(([at, piece]) => [at, { seat, piece }]),
    ),
  );
  const { from, to } = game.plies[0] ?? { from: '', to: '' };
  const moves = Array.from({ length: 90_000 }, (_, i) => (i % 2 ? { from: to, to: from } : { from, to }));
  await open(page, { format: 'yibu-replay', version: 1, board, moves });
  const lines = page.locator('.log .line');
  await expect(lines).toHaveCount(100);
  for (const place of ['70', '45000', '90000']) {
    await page.getByRole('slider').fill(place);
    await expect(page.locator('.log [aria-current] .ply')).toHaveText(place);
    await expect.poll(() => currentInView(page)).toBe(true);
    await expect(lines).toHaveCount(100);
  }
  await page.getByRole('button', { name: '后退一步' }).click();
  await expect(page.locator('.log [aria-current] .ply')).toHaveText('89999');
  await expect.poll(() => currentInView(page)).toBe(true);
  await page.getByRole('button', { name: '更早的行动' }).click();
  await expect(lines.first().locator('.ply')).toHaveText('89801');
});

test('no name leaves its card on a phone', async ({ browser }) => {
  const context = await browser.newContext(DEVICES.phone);
  const page = await context.newPage();
  const names = ['一二三四五六七八九十一二三四五六', 'W'.repeat(200), '\u202e倒着写的名字很长很长很长', '西窗'];
  await open(page, wholeFile(whole(), names));
  await expect(page.locator('.owner')).toHaveCount(4);
  const out = await page.locator('.owner').evaluateAll((cards) =>
    cards.flatMap((card) => {
      const room = card.getBoundingClientRect();
      return [...card.querySelectorAll('.seat-name, .seat-name > span')]
        .map((part) => part.getBoundingClientRect())
        .filter(({ left, right }) => left < room.left - 1 || right > room.right + 1)
        .map(({ left, right }) => `${left}..${right} of ${room.left}..${room.right}`);
    }),
  );
  expect(out).toEqual([]);
  await context.close();
});
