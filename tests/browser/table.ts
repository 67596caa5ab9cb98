// What hands do at a table through its page: exchange pieces, move, open the menu, say yes.
import { expect, type Page } from '@playwright/test';
import type { Person } from './people.ts';

interface Point {
  x: number;
  y: number;
}

const ids = (page: Page, which: string) =>
  page.locator(which).evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-at') ?? ''));

/** A position of the board. */
export const at = ({ page }: Person, id: string) => page.locator(`.nodes [data-at="${id}"]`);

/** What the board calls a position. */
export const label = async (one: Person, id: string) => (await at(one, id).getAttribute('aria-label')) ?? '';

/** The own piece on a position, in words. */
export const kindAt = async (one: Person, id: string) => /自己的[^，]+/.exec(await label(one, id))?.[0] ?? '';

/** The own pieces by position, as the board names them. */
export const formation = (page: Page) =>
  page
    .locator('.nodes .can')
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label')).join());

/** Shows a table in another language from here on. */
export async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate((chosen) => {
    const settings = JSON.parse(localStorage.getItem('yibu.settings') ?? '{}') as object;
    localStorage.setItem('yibu.settings', JSON.stringify({ ...settings, language: chosen }));
  }, language);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.locator('.bars .row')).toBeVisible();
  await expect(page.locator('.panel .loading')).toHaveCount(0);
}

/** Imports a formation file. */
export async function importFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

/** Exchanges two pieces of different kinds by clicking one and then the other. */
export async function exchangeByTap(one: Person): Promise<void> {
  const { page } = one;
  const [a = ''] = (await ids(page, '.nodes .can')).filter((id) => /^.[23]/.test(id));
  const before = await label(one, a);
  await at(one, a).click({ force: true });
  let partner = '';
  for (const id of await ids(page, '.nodes .goal, .nodes .can[aria-label*="可交换"]')) {
    const kind = await kindAt(one, id);
    if (kind && !before.includes(kind)) {
      partner = id;
      break;
    }
  }
  expect(partner).not.toBe('');
  const kind = await kindAt(one, partner);
  await at(one, partner).click({ force: true });
  await expect(at(one, a)).toHaveAttribute('aria-label', new RegExp(kind));
}

/** Exchanges two pieces of different kinds by dragging one with a finger. */
export async function exchangeByDrag(one: Person): Promise<void> {
  const free = (await ids(one.page, '.nodes .can')).filter((id) => /^.[234]/.test(id));
  const kinds = new Map<string, string>();
  for (const id of free) kinds.set(id, await kindAt(one, id));
  const [a = ''] = free;
  const b = free.find((id) => kinds.get(id) !== kinds.get(a)) ?? '';
  const from = await at(one, a).boundingBox();
  const to = await at(one, b).boundingBox();
  if (!from || !to) throw new Error('positions without boxes');
  const centre = (box: typeof from) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  await drag(one, centre(from), centre(to));
  await expect(at(one, b)).toHaveAttribute('aria-label', new RegExp(kinds.get(a) ?? '?'));
  expect(from.width).toBeGreaterThanOrEqual(44);
}

/** Drags with a finger: real touches, so that scrolling would take them away if the board let it. */
async function drag({ page }: Person, from: Point, to: Point): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [from]);
  for (const part of [0.2, 0.4, 0.6, 0.8, 1]) {
    await touch('touchMove', [{ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }]);
  }
  await touch('touchEnd', []);
}

/** Picks a movable piece with somewhere to go, and gives a target: no headquarters, so that nobody falls by accident. */
export async function pickMove(one: Person): Promise<string> {
  for (const from of await ids(one.page, '.nodes .can')) {
    await at(one, from).click({ force: true });
    const goal = (await ids(one.page, '.nodes .goal')).find((id) => !/^[senw]6[24]$/.test(id));
    if (goal) return goal;
  }
  throw new Error('no piece can move');
}

/** How many actions the page tells of. */
const told = ({ page }: Person) => page.locator('.log .line').count();

/** Asserts that the move which waited for a yes was made, `before` being what was told until then. House players
 * think so fast that the own turn may be back before anybody looks. */
async function expectMoved(one: Person, before: number): Promise<void> {
  const { page } = one;
  await expect(page.locator('.confirming')).toHaveCount(0);
  const over = async () => (await page.locator('.status.own').count()) === 0 || (await told(one)) > before;
  await expect.poll(over).toBe(true);
}

/** Moves whatever can move, by clicks. */
export async function play(one: Person): Promise<void> {
  const target = await pickMove(one);
  await at(one, target).click({ force: true });
  await expect(one.page.locator('.confirming')).toContainText('→');
  const before = await told(one);
  await one.page.getByRole('button', { name: '确认走子' }).click();
  await expectMoved(one, before);
}

/** Presses Tab until something has the focus, as somebody without a mouse must. */
export async function tabTo(page: Page, what: string): Promise<void> {
  const focused = () => page.evaluate((css) => document.activeElement?.matches(css) ?? false, what);
  for (let i = 0; i < 60 && !(await focused()); i += 1) await page.keyboard.press('Tab');
  expect(await focused(), `${what} is reached by Tab`).toBe(true);
}

/** A move on the board by keys alone. */
export async function playByKeys(one: Person): Promise<void> {
  const { page } = one;
  await tabTo(page, '.nodes [data-at]');
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  await expect(page.locator('.nodes .goal')).not.toHaveCount(0);
  await page.keyboard.press('n');
  await page.keyboard.press('Enter');
  await expect(page.locator('.confirming')).toContainText('→');
  const before = await told(one);
  await page.keyboard.press('Enter');
  await expectMoved(one, before);
}

/** A move in text mode by keys alone, which switch it on and off as well; `look` sees the list of targets. */
export async function playInText(one: Person, look = async () => {}): Promise<void> {
  const { page } = one;
  const own = page.getByRole('heading', { name: '我的可走棋子' });
  const toggle = async () => {
    await tabTo(page, '.bars details.menu summary');
    await page.keyboard.press('Enter');
    await tabTo(page, '.bars .menu-list button:first-child');
    await page.keyboard.press('Enter');
  };
  await toggle();
  await expect(own).toBeVisible();
  await expect(page.locator('.board')).toHaveCount(0);
  await tabTo(page, '.text-board h2 + .choices button');
  await page.keyboard.press('Enter');
  await expect(page.locator('.text-board button[aria-pressed="true"]')).toHaveCount(1);
  await look();
  await tabTo(page, '.text-board .choices ~ .choices button');
  await page.keyboard.press('Enter');
  await expect(page.locator('.confirming')).toContainText('→');
  await tabTo(page, '.confirming button.main');
  const before = await told(one);
  await page.keyboard.press('Enter');
  await expectMoved(one, before);
  await toggle();
  await expect(page.locator('.board')).toBeVisible();
}

/** Chooses from the menu beside the actions. */
export async function choose({ page }: Person, name: string): Promise<void> {
  await page.locator('.bars details.menu summary').click();
  await page.locator('.bars .menu-list').getByRole('button', { name, exact: true }).click();
}

/** Says yes to the question that is open. */
export async function agree({ page }: Person, yes: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: yes }).click();
  await expect(dialog).toHaveCount(0);
}
