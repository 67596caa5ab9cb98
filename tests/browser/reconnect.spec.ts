// Sockets are lost a hundred times while four people play: no page misses an action, shows one twice or keeps an old
// board, and two tabs of one person end up the same.
import { expect, type Page, test } from '@playwright/test';
import { dice } from './dice.ts';
import { leaks } from './leaks.ts';
import { hear, type Person, person, register, sit } from './people.ts';
import { PEOPLE } from './servers.ts';
import { playBySession, type Seated, seated, toldActions, viewOf } from './session.ts';
import { type Cut, Wire } from './wire.ts';

const CUTS = 100;
/** Few are lost while they come back: each time that fails, a browser waits twice as long. */
const HOW: readonly Cut[] = ['now', 'now', 'speaking', 'speaking', 'greeting'];

test.use({ baseURL: PEOPLE });
test.setTimeout(90_000);

interface Watched {
  backwards: string[];
}

/** Lets a page note whenever it takes an action back or puts a piece back, as an old snapshot would. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const here = globalThis as unknown as Watched;
    here.backwards = [];
    let most = 0;
    let least = 100;
    new MutationObserver(() => {
      const lines = document.querySelectorAll('.log .line').length;
      const pieces = document.querySelectorAll('.pieces .piece:not(.ghost)').length;
      if (lines < most) here.backwards.push(`${most} actions, then ${lines}`);
      if (pieces > least) here.backwards.push(`${least} pieces, then ${pieces}`);
      most = Math.max(most, lines);
      least = Math.min(least, pieces);
    }).observe(document.body, { childList: true, subtree: true });
  });
}

/** The board as a page shows it: by position, whose piece or which own one. */
const shown = (page: Page) =>
  page.locator('.nodes [data-at]').evaluateAll((nodes) =>
    nodes.flatMap((node) => {
      const [piece] =
        /[南东北西]方暗子|[南东北西]方军旗|自己的[^，]+/.exec(node.getAttribute('aria-label') ?? '') ?? [];
      return piece ? [`${node.getAttribute('data-at')} ${piece}`] : [];
    }),
  );
const lines = (page: Page) => page.locator('.log .line').allTextContents();

const SEATS = { S: '南', E: '东', N: '北', W: '西' };
const PIECES: Record<string, string> = {
  COMMANDER: '司令',
  GENERAL: '军长',
  MAJOR_GENERAL: '师长',
  BRIGADIER: '旅长',
  COLONEL: '团长',
  MAJOR: '营长',
  CAPTAIN: '连长',
  LIEUTENANT: '排长',
  ENGINEER: '工兵',
  BOMB: '炸弹',
  MINE: '地雷',
  FLAG: '军旗',
};

/** Asserts that a page shows what the server shows its person: every piece, and every action once. */
async function expectWhole(one: Seated, page: Page, what: string): Promise<void> {
  const { board } = await viewOf(one);
  const truth = board.map(({ at, seat, identity }) => {
    const name = identity ? PIECES[identity] : '暗子';
    return `${at} ${seat === one.seat ? `自己的${name}` : `${SEATS[seat]}方${name}`}`;
  });
  const eager = { message: what, intervals: [50] };
  await expect.poll(async () => (await shown(page)).sort(), eager).toEqual(truth.sort());
  const told = await toldActions(one);
  await expect.poll(async () => (await lines(page)).length, eager).toBe(told);
}

test('a hundred lost sockets lose nothing', async ({ browser }) => {
  const chance = dice('lost sockets');
  const wire = await Wire.to(PEOPLE);
  const through = { baseURL: wire.url, reducedMotion: 'reduce' } as const;
  const mia = await person(browser, 'desktop', 'Mia', through);
  const ned = await person(browser, 'phone', 'Ned', through);
  const ona = await person(browser, 'desktop', 'Ona');
  const pia = await person(browser, 'desktop', 'Pia');
  const all: Person[] = [mia, ned, ona, pia];
  await Promise.all(all.map(register));
  await Promise.all(all.map(sit));
  const people = await Promise.all(all.map(seated));
  expect(new Set(people.map(({ match }) => match)).size).toBe(1);
  const [first, second] = people as [Seated, Seated];
  const tab = await mia.page.context().newPage();
  hear(tab, mia.received);
  await tab.goto(mia.page.url());
  await expect(tab.locator('.board')).toBeVisible();
  for (const { page } of all) await page.getByRole('button', { name: '完成调度' }).click();
  const watched: [Seated, Page, string][] = [
    [first, mia.page, 'first tab'],
    [first, tab, 'second tab'],
    [second, ned.page, 'phone'],
  ];
  for (const [, page] of watched) {
    await expect(page.locator('.table.playing .log .line')).toHaveCount(1);
    await watch(page);
  }
  // Those who are not watched need no board that is drawn anew for each move.
  for (const { page } of [ona, pia]) await page.goto('/manual');

  const back = { message: 'all are back', intervals: [50] };
  let plies = 0;
  while (wire.cuts < CUTS) {
    await expect.poll(() => wire.open, back).toBe(watched.length);
    for (let i = 2 + chance(watched.length - 1); i > 0 && wire.cuts + wire.pending < CUTS; i -= 1) {
      wire.cut(HOW[chance(HOW.length)] as Cut, chance);
    }
    await playBySession(people, chance);
    plies += 1;
    await expect.poll(() => wire.pending, { message: 'the cuts are done', intervals: [50] }).toBe(0);
    await Promise.all(watched.map(([one, page, what]) => expectWhole(one, page, `${what}, move ${plies}`)));
  }
  await expect.poll(() => wire.open, back).toBe(watched.length);
  await playBySession(people, chance);
  console.log(`${wire.cuts} cuts in ${plies} moves`);
  expect(wire.cuts).toBeGreaterThanOrEqual(CUTS);

  for (const [one, page, what] of watched) {
    await expectWhole(one, page, what);
    await expect(page.locator('.lost')).toHaveCount(0);
    expect(await page.evaluate(() => (globalThis as unknown as Watched).backwards), what).toEqual([]);
  }
  const text = (page: Page, css: string) => page.locator(css).allTextContents();
  expect(await lines(tab)).toEqual(await lines(mia.page));
  expect(await shown(tab)).toEqual(await shown(mia.page));
  for (const css of ['.status strong', '.seat-name', '.seat-note']) {
    expect(await text(tab, css), css).toEqual(await text(mia.page, css));
  }
  const before = await lines(tab);
  await tab.reload();
  await expect(tab.locator('.log .line').last()).toBeVisible();
  const earlier = tab.getByRole('button', { name: '更早的行动' });
  if ((await earlier.count()) > 0) await earlier.click();
  await expect(earlier).toHaveCount(0);
  expect(await lines(tab)).toEqual(before);

  for (const { received, name } of all) expect(leaks(received), name).toEqual([]);
  for (const { page } of all) await page.context().close();
  wire.close();
});
