// A whole match of four people, one of them on a phone, from registration to the settlement and the replay: everything
// that can happen at a table happens, somebody is succeeded by a fifth, and nobody learns what is hidden from them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { dice } from './dice.ts';
import { gather } from './gather.ts';
import { boardsSeen, leaks, shownLeaks } from './leaks.ts';
import type { Person } from './people.ts';
import { PEOPLE } from './servers.ts';
import { onTurn, playBySession, type Seat, type Seated, seated, viewOf } from './session.ts';
import { agree, choose, exchangeByDrag, exchangeByTap, formation, importFile, play } from './table.ts';

/** Moves between the rounds that are played by hand. */
const PLIES = 80;
const SIDES: Record<Seat, string> = { S: 'RED', N: 'RED', E: 'BLUE', W: 'BLUE' };

test.use({ baseURL: PEOPLE, serviceWorkers: 'allow' });
test.setTimeout(240_000);

/** Asserts that no document tells a rank that its person may not know. */
async function expectSealed(people: readonly Person[], when: string): Promise<void> {
  for (const { page, name } of people) {
    await expect(page.locator('.board')).toBeVisible();
    expect(await shownLeaks(page), `${name}, ${when}`).toEqual([]);
  }
}

/** Each arranges in a way of their own. */
async function arrange([ana, bei, chu, duo]: readonly Person[]): Promise<void> {
  await exchangeByTap(ana as Person);
  await exchangeByDrag(bei as Person);

  const { page } = chu as Person;
  const [download] = await Promise.all([page.waitForEvent('download'), choose(chu as Person, '导出')]);
  const file = readFileSync(await download.path());
  const dealt = await formation(page);
  await page.getByRole('button', { name: '随机' }).click();
  await expect.poll(() => formation(page)).not.toBe(dealt);
  await importFile(page, 'mine.yibu-formation.json', file);
  await expect.poll(() => formation(page)).toBe(dealt);

  const { page: saver } = duo as Person;
  const saved = await formation(saver);
  await saver.getByRole('button', { name: '阵型库' }).click();
  await saver.getByLabel('阵型名称').fill('常用');
  await saver.getByRole('button', { name: '保存当前阵型' }).click();
  await saver.getByRole('dialog').getByRole('button', { name: '关闭' }).click();
  await saver.getByRole('button', { name: '随机' }).click();
  await expect.poll(() => formation(saver)).not.toBe(saved);
  await saver.getByRole('button', { name: '阵型库' }).click();
  await saver.getByRole('dialog').getByRole('button', { name: '使用' }).click();
  await expect.poll(() => formation(saver)).toBe(saved);
}

/** The one on turn asks for a draw, two say yes and one says no: it goes on. */
async function draw(people: readonly Seated[]): Promise<void> {
  const asks = await onTurn(people);
  await asks.page.getByRole('button', { name: '求和' }).click();
  await agree(asks, '求和');
  await expect(asks.page.locator('.card.vote')).toContainText('你已求和');
  const others = people.filter((one) => one !== asks);
  for (const [i, { page }] of others.entries()) {
    const vote = page.locator('.card.vote');
    await expect(vote).toContainText('求和');
    if (i > 0) await expect(vote).toContainText('已同意');
    await vote.getByRole('button', { name: i === 2 ? '不同意' : '同意', exact: true }).click();
    if (i < 2) await expect(vote.getByRole('button')).toHaveCount(0);
  }
  for (const { page } of people) {
    await expect(page.locator('.card.vote')).toHaveCount(0);
    await expect(page.locator('.log')).toContainText('不同意和棋');
  }
}

/** A proposal to give up that the team-mate refuses; the other side hears nothing of it. */
async function refuse(people: readonly Seated[]): Promise<void> {
  const one = people[0] as Seated;
  const mate = people.find(({ seat }) => seat !== one.seat && SIDES[seat] === SIDES[one.seat]) as Seated;
  await choose(one, '团队投降');
  await agree(one, '团队投降');
  await expect(one.page.locator('.card.vote')).toContainText('已向队友提议');
  const vote = mate.page.locator('.card.vote');
  await expect(vote).toContainText('队友提议团队投降');
  await vote.getByRole('button', { name: '不同意' }).click();
  await expect(vote).toHaveCount(0);
  await expect(one.page.locator('.card.vote')).toHaveCount(0);
  for (const { received, seat } of people) {
    const heard = received.some((payload) => payload.includes('"teamSurrender":{"'));
    expect(heard, seat).toBe(SIDES[seat] === SIDES[one.seat]);
  }
}

/** A clock that runs out on the own device decides nothing: the page waits for the server’s word. */
async function outrun({ page }: Person): Promise<void> {
  const ahead = await page.context().newPage();
  await ahead.clock.install();
  await ahead.goto(page.url());
  await expect(ahead.locator('.status .clock')).toBeVisible();
  await ahead.clock.fastForward('17:00:00');
  await expect(ahead.locator('.status .due')).toContainText('时限已到，等服务器判定');
  await ahead.reload();
  await expect(ahead.locator('.status .clock')).toContainText('15:');
  await ahead.close();
}

test('a whole match, from registration to the replay', async ({ browser }) => {
  const chance = dice('whole match');
  const { all, people, eli } = await test.step('four sit down, a fifth is about', () => gather(browser));
  const [ana] = people as [Seated];

  await test.step('each arranges, and it begins', async () => {
    await arrange(all);
    for (const { page } of all) await page.getByRole('button', { name: '完成调度' }).click();
    for (const { page } of all) await expect(page.locator('.table.playing')).toBeVisible();
    await expectSealed(all, 'at the start');
  });

  await test.step('a round by hand', async () => {
    for (let i = 0; i < 4; i += 1) await play(await onTurn(people));
    for (const { page } of all) await expect(page.locator('.log .line')).toHaveCount(5);
    await expectSealed(all, 'after a round');
  });

  await test.step('a draw that one refuses', () => draw(people));
  await test.step('a surrender that the team-mate refuses', () => refuse(people));
  await test.step('a turn is skipped', async () => {
    const one = await onTurn(people);
    await one.page.getByRole('button', { name: '跳过（剩 5）' }).click();
    await agree(one, '跳过（剩 5）');
    await expect(one.page.getByRole('button', { name: '跳过（剩 4）' })).toBeDisabled();
    for (const { page } of all) await expect(page.locator('.log')).toContainText('跳过');
  });
  await test.step('a clock runs out on the screen alone', () => outrun(ana));

  const gone = await onTurn(people);
  await test.step('one leaves, on the own turn', async () => {
    await choose(gone, '离席');
    await agree(gone, '确认离席，扣 9 分');
    await expect(gone.page.locator('.bar .hint')).toContainText('你已离开本局');
    for (const { page } of all) await expect(page.locator('.status')).toContainText('空席');
    await expectSealed(all, 'with a vacancy');
  });

  const succeeded = await test.step('the fifth looks, and takes over', async () => {
    const { page } = eli;
    await page.getByRole('button', { name: '匹配残局' }).click();
    await expect(page.locator('.table.playing .log .line').last()).toBeVisible();
    await expect(page.locator('.piece.dark')).not.toHaveCount(0);
    await expect(page.locator('.piece.open, .own-pieces, .nodes .can')).toHaveCount(0);
    await expectSealed([eli], 'as a candidate');
    expect(boardsSeen(eli.received)).toBeGreaterThan(0);
    expect(eli.received.filter((payload) => /"identity":"/.test(payload))).toEqual([]);
    await page.getByRole('button', { name: '正式接手' }).click();
    await agree(eli, '正式接手');
    await expect(page.locator('.status.own')).toBeVisible();
    const now = await seated(eli);
    expect(now.seat).toBe(gone.seat);
    for (const one of all) await expect(one.page.locator('.log')).toContainText('正式接手');
    await play(now);
    return people.map((one) => (one === gone ? now : one));
  });

  await test.step('the middle, by the people’s own sessions', async () => {
    await playBySession(succeeded, chance, PLIES);
    const { version } = await viewOf(succeeded[0] as Seated);
    expect(version).toBeGreaterThan(2 * PLIES);
    await expectSealed([...succeeded, gone], 'in the middle');
  });

  await test.step('a last round by hand, and the other side gives up', async () => {
    for (let i = 0; i < 4; i += 1) await play(await onTurn(succeeded));
    const losers = succeeded.filter(({ seat }) => SIDES[seat] !== SIDES[gone.seat]);
    for (const one of losers) {
      await choose(one, '投降');
      await agree(one, '投降');
      await expect(one.page.locator('.seat.mine, .ended').first()).toContainText(/已淘汰|你输了/);
      if (one === losers[0]) await play(await onTurn(succeeded));
    }
    for (const { page } of succeeded) {
      const settlement = page.locator('.card.ended');
      const lost = losers.some((one) => one.page === page);
      const words = `${lost ? '你输了，你方' : '你赢了，对方'}（${SIDES[gone.seat] === 'RED' ? '蓝方' : '赤方'}）两席均被淘汰`;
      await expect(settlement).toContainText(words);
      await expect(settlement.locator('tr', { hasText: eli.name })).toContainText('+4');
      for (const one of losers)
        await expect(settlement.locator('tr', { hasText: one.name })).toContainText('−3');
    }
    await expectSealed([...succeeded, gone], 'at the end');
  });

  const keeper = succeeded.find(({ name }) => name !== eli.name && name !== gone.name) as Seated;
  await test.step('the replay, without a network', () => replay(keeper, gone, eli));
  for (const { received, name } of [...all, eli]) {
    const table = received.filter((payload) => !payload.includes('yibu-replay'));
    expect(boardsSeen(table), name).toBeGreaterThan(3);
    expect(leaks(table), name).toEqual([]);
  }
  for (const { page } of [...all, eli]) await page.context().close();
});

/** Saves the replay at the table and opens it offline: steps, searches, hides, looks from elsewhere, turns. */
async function replay({ page }: Person, gone: Seated, successor: Person): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '保存复盘到本地' }).click(),
  ]);
  const file = readFileSync(await download.path());
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const kept = () =>
    page.evaluate(async () => (await (await caches.open('yibu-1')).keys()).map(({ url }) => url).join());
  await expect.poll(kept).toMatch(/ReplayPage.*js/);
  await page.context().setOffline(true);
  await page.goto('/replay');
  await open(page, download.suggestedFilename(), file);
  await expect(page.locator('.piece.open')).toHaveCount(100);
  const status = page.locator('.replay .status');
  const event = (text: string) => page.locator('.log .line', { hasText: text });
  const holder = page.locator(`.seat.side-${gone.seat} .seat-name`);

  for (let i = 0; i < 3; i += 1) await page.getByRole('button', { name: '前进一步' }).click();
  await expect(status).toContainText('第 3 /');
  await page.getByRole('button', { name: '后退一步' }).click();
  await expect(status).toContainText('第 2 /');

  // Found among people and events, the board stands where that happened.
  for (const [text, name] of [
    ['离席', gone.name],
    ['正式接手', successor.name],
  ] as const) {
    const line = event(text).first();
    const ply = await line.locator('.ply').textContent();
    await line.click();
    await expect(status).toContainText(`第 ${ply} /`);
    await expect(holder).toContainText(name);
  }
  await expect(event('不同意和棋')).toHaveCount(1);
  await expect(event('个人投降')).toHaveCount(2);

  const side = `.piece.side-${gone.seat}`;
  await expect(page.locator(`${side}.open`)).not.toHaveCount(0);
  await page.locator(`.seat.side-${gone.seat} .owner`).click();
  await expect(page.locator(`${side}.open`)).toHaveCount(0);
  await expect(page.locator('.piece.open')).not.toHaveCount(0);
  await page.getByLabel('视角').selectOption(gone.seat);
  await expect(page.locator(`${side}.dark`)).toHaveCount(0);
  await expect(page.locator(`.piece.open:not(.side-${gone.seat})`)).toHaveCount(0);
  const bottom = page.locator('.corner.sw .seat');
  await expect(bottom).toHaveClass(new RegExp(`side-${gone.seat}`));
  await page.getByRole('button', { name: '转动棋盘' }).click();
  await expect(bottom).not.toHaveClass(new RegExp(`side-${gone.seat}`));
  await page.getByRole('slider').press('End');
  await expect(page.locator('.ended table')).toContainText(successor.name);

  // What no clock of a test can bring about stands in a replay: two run out of time.
  const other = join(import.meta.dirname, '../../api/web/tests/fixtures/draw.yibu-replay.json');
  await open(page, 'draw.yibu-replay.json', readFileSync(other));
  await expect(event('超时')).toHaveCount(2);
  await event('超时').first().click();
  await expect(page.locator('.log .line[aria-current]')).toContainText('−9 分');
}

const open = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer });
