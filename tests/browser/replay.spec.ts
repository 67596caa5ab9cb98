// The replay viewer with a file made from a whole game of the contract: play, step, jump, hide, bad files.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { expectAccessible, expectHittable } from './accessible.ts';
import { DEVICES } from './people.ts';

interface Ply {
  seat: string;
  act: string;
  from: string;
  to: string;
  piece: string;
  target: string | null;
  route: string[];
  out: string;
  elim?: [string, string][];
}
interface Game {
  options: { order: string; seats: string };
  first: string;
  formations: Record<string, Record<string, string>>;
  plies: Ply[];
}

function file(): Buffer {
  const games = gunzipSync(
    readFileSync(join(import.meta.dirname, '../vectors/siguo/games.jsonl.gz')),
  ).toString();
  const game = games
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Game)
    .find(({ options }) => options.order === 'ccw' && options.seats === 'senw') as Game;
  let minute = 0;
  const at = () => {
    minute += 1;
    return new Date(Date.UTC(2026, 0, 5, 8, minute)).toISOString();
  };
  const events: object[] = [{ kind: 'started', seat: game.first, at: at() }];
  for (const { seat, act, from, to, route, piece, target, out, elim } of game.plies) {
    events.push({ kind: 'turn_started', seat, at: at() });
    if (act === 'move')
      events.push({
        kind: 'moved',
        at: at(),
        seat,
        from,
        to,
        route,
        attacker: piece,
        defender: target,
        outcome: out,
      });
    else events.push({ kind: act === 'skip' ? 'skipped' : 'surrendered', seat, at: at() });
    for (const [fallen, cause] of elim ?? [])
      events.push({ kind: 'seat_eliminated', seat: fallen, cause, at: at() });
  }
  const seats = Object.fromEntries(
    Object.entries(game.formations).map(([seat, pieces]) => [
      seat,
      { pieces: Object.entries(pieces).map(([place, piece]) => ({ at: place, piece })) },
    ]),
  );
  const participants = [...'senw'].map((seat, i) => ({
    seat,
    nickname: ['南山', '东篱', '北斗', '西窗'][i],
    joined: 'full',
  }));
  const log = { events: events.length, hash: '' };
  const value = { format: 'yibu-replay', version: 2, match: { id: 'm' }, seats, participants, events, log };
  return Buffer.from(JSON.stringify(value));
}

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
      buffer: file(),
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
