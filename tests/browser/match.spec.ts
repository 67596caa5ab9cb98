// Two people, one on a phone, from registration to moves at one table with house players: arranging by tap and by
// drag, moves by mouse, finger and keyboard, looking back, reconnecting; and nobody is sent what is hidden.
import { expect, test } from '@playwright/test';
import { expectAccessible, expectHittable } from './accessible.ts';
import { boardsSeen, leaks } from './leaks.ts';
import { PASSWORD, type Person, person, register, sit } from './people.ts';

interface Point {
  x: number;
  y: number;
}

const at = (one: Person, id: string) => one.page.locator(`.nodes [data-at="${id}"]`);
const rank = async (one: Person, id: string) => (await at(one, id).getAttribute('aria-label')) ?? '';

/** Picks a movable piece with somewhere to go, and gives a target. */
async function pickMove(one: Person): Promise<string> {
  const { page } = one;
  const movable = await page
    .locator('.nodes .can')
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-at') ?? ''));
  for (const from of movable) {
    await at(one, from).click({ force: true });
    const goals = page.locator('.nodes .goal');
    if ((await goals.count()) > 0) return (await goals.first().getAttribute('data-at')) ?? '';
  }
  throw new Error('no piece can move');
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

/** Moves whatever can move. */
async function play(one: Person): Promise<void> {
  const target = await pickMove(one);
  await at(one, target).click({ force: true });
  await expect(one.page.locator('.confirming')).toContainText('→');
  await one.page.getByRole('button', { name: '确认走子' }).click();
  await expect(one.page.locator('.confirming')).toHaveCount(0);
  await expect(one.page.locator('.status.own')).toHaveCount(0);
}

/** Waits for a person's turn; the other one moves meanwhile where that is needed. */
async function turnOf(one: Person, other: Person): Promise<void> {
  const turn = ({ page }: Person) => page.locator('.status.own');
  for (let i = 0; i < 4; i += 1) {
    await expect
      .poll(async () => (await turn(one).count()) + (await turn(other).count()), { timeout: 60_000 })
      .toBeGreaterThan(0);
    if ((await turn(one).count()) > 0) return;
    await play(other);
  }
  throw new Error('the turn does not come round');
}

test('two people arrange, play and watch', async ({ browser }) => {
  const anna = await person(browser, 'desktop', 'Anna');
  const bo = await person(browser, 'phone', 'Bo');
  await register(anna);
  await register(bo);
  await expectAccessible(anna.page, 'lobby');
  await expectHittable(bo.page, 'lobby on a phone');
  await Promise.all([sit(anna), sit(bo)]);
  const tables = [anna, bo].map(({ page }) => new URL(page.url()).pathname);
  expect(tables[0]).toBe(tables[1]);

  await test.step('arrange by tap on the desktop', async () => {
    const own = await anna.page
      .locator('.nodes .can')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-at') ?? ''));
    const [a = ''] = own.filter((id) => /^.[23]/.test(id));
    const before = await rank(anna, a);
    await at(anna, a).click({ force: true });
    const swaps = await anna.page
      .locator('.nodes .goal, .nodes .can[aria-label*="可交换"]')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-at') ?? ''));
    let partner = '';
    for (const id of swaps) {
      const [kind = ''] = /自己的[^，]+/.exec(await rank(anna, id)) ?? [];
      if (kind && !before.includes(kind)) {
        partner = id;
        break;
      }
    }
    expect(partner).not.toBe('');
    const [kind = ''] = /自己的[^，]+/.exec(await rank(anna, partner)) ?? [];
    await at(anna, partner).click({ force: true });
    await expect(at(anna, a)).toHaveAttribute('aria-label', new RegExp(kind));
  });

  await test.step('arrange by drag on the phone', async () => {
    const own = await bo.page
      .locator('.nodes .can')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('data-at') ?? ''));
    const free = own.filter((id) => /^.[234]/.test(id));
    const kinds = new Map<string, string>();
    for (const id of free) kinds.set(id, /自己的[^，]+/.exec(await rank(bo, id))?.[0] ?? '');
    const [a = ''] = free;
    const b = free.find((id) => kinds.get(id) !== kinds.get(a)) ?? '';
    const from = await at(bo, a).boundingBox();
    const to = await at(bo, b).boundingBox();
    if (!from || !to) throw new Error('positions without boxes');
    const centre = (box: typeof from) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
    await drag(bo, centre(from), centre(to));
    await expect(at(bo, b)).toHaveAttribute('aria-label', new RegExp(kinds.get(a) ?? '?'));
    expect(from.width).toBeGreaterThanOrEqual(44);
  });

  await expectAccessible(bo.page, 'arranging on a phone');
  await expectHittable(bo.page, 'arranging on a phone');
  for (const one of [anna, bo]) await one.page.getByRole('button', { name: '完成调度' }).click();
  for (const one of [anna, bo])
    await expect(one.page.locator('.table.playing')).toBeVisible({ timeout: 60_000 });

  for (const one of [anna, bo, anna]) {
    await test.step(`a move by ${one.name}`, async () => {
      await turnOf(one, one === anna ? bo : anna);
      await play(one);
      await expect(one.page.locator('.log .line')).not.toHaveCount(1);
    });
  }
  await expectAccessible(anna.page, 'playing');
  await expectAccessible(bo.page, 'playing on a phone');
  await expectHittable(anna.page, 'playing');

  await test.step('a move by keyboard alone', async () => {
    await turnOf(anna, bo);
    const { page } = anna;
    await page.locator('.nodes [tabindex="0"]').focus();
    for (let i = 0; i < 30; i += 1) {
      await page.keyboard.press('n');
      await page.keyboard.press('Enter');
      if ((await page.locator('.nodes .goal').count()) > 0) break;
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('n');
    await page.keyboard.press('Enter');
    await expect(page.locator('.confirming')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page.locator('.confirming')).toHaveCount(0);
    await expect(page.locator('.status.own')).toHaveCount(0);
  });

  await test.step('look back and return', async () => {
    const { page } = anna;
    await page.locator('.log .line').first().click();
    await expect(page.locator('.piece')).toHaveCount(100);
    await page.getByRole('button', { name: '回到现在' }).click();
    await expect(page.locator('.bar .hint')).not.toContainText('回看');
  });

  await test.step('the connection is lost and comes back', async () => {
    const context = bo.page.context();
    await context.setOffline(true);
    await expect(bo.page.locator('.lost')).toBeVisible({ timeout: 60_000 });
    await context.setOffline(false);
    await expect(bo.page.locator('.lost')).toHaveCount(0, { timeout: 60_000 });
    await turnOf(bo, anna);
  });

  await test.step('a draw offer, and leaving with its price', async () => {
    const { page } = bo;
    await page.getByRole('button', { name: '求和' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '求和' }).click();
    await expect(page.locator('.log')).toContainText('求和');
    await page.locator('.bars details.menu summary').click();
    await page.getByRole('button', { name: '离席' }).click();
    await expect(page.getByRole('dialog')).toContainText('9 分');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /确认离席/ })
      .click();
    await expect(page.locator('.bar .hint')).toContainText('你已离开本局');
    await expect(page.locator('.piece.open', { hasNotText: '旗' })).toHaveCount(0);
    await expect(anna.page.locator('.log')).toContainText('离席');
  });

  const cai = await person(browser, 'desktop', 'Cai');
  await test.step('somebody else takes the vacant seat over', async () => {
    await register(cai);
    const { page } = cai;
    await page.getByRole('button', { name: '匹配残局' }).click();
    await expect(page.locator('.board')).toBeVisible();
    await expect(page.locator('.piece.dark').first()).toBeVisible();
    await expect(page.locator('.piece.open', { hasNotText: '旗' })).toHaveCount(0);
    await expectAccessible(page, 'candidate');
    await page.getByRole('button', { name: '正式接手' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '正式接手' }).click();
    await expect(page.locator('.status.own')).toBeVisible();
    await expect(page.locator('.piece.open').first()).toBeVisible();
    await expect(anna.page.locator('.log')).toContainText('正式接手');
    await play(cai);
  });

  await test.step('a surrender takes the seat off the board', async () => {
    const { page } = cai;
    await page.locator('.bars details.menu summary').click();
    await page.getByRole('button', { name: '投降', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: '投降' }).click();
    await expect(page.locator('.seat.mine')).toContainText('已淘汰');
    await expect(page.locator('.piece.open', { hasNotText: '旗' })).toHaveCount(0);
    await expectAccessible(page, 'eliminated');
  });

  await test.step('text mode plays as well', async () => {
    const { page } = anna;
    await page.locator('.bars details.menu summary').click();
    await page.getByRole('button', { name: '文字模式' }).click();
    await expect(page.getByRole('heading', { name: '我的可走棋子' })).toBeVisible();
    await expectAccessible(page, 'text mode');
  });

  for (const one of [anna, bo, cai]) {
    expect(boardsSeen(one.received), one.name).toBeGreaterThan(3);
    expect(leaks(one.received), one.name).toEqual([]);
  }

  await test.step('log out and in', async () => {
    const { page } = anna;
    await page.goto('/settings');
    await page.getByRole('button', { name: '退出账号' }).click();
    await expect(page.getByRole('link', { name: '注册' })).toBeVisible();
    await page.goto('/login');
    await page.getByLabel('邮箱').fill(anna.email);
    await page.getByLabel('密码').fill('not this one at all');
    await page.getByRole('button', { name: '登录' }).click();
    await expect(page.getByRole('alert')).toContainText('不对');
    await page.getByLabel('密码').fill(PASSWORD);
    await page.getByRole('button', { name: '登录' }).click();
    await expect(page.getByRole('heading', { name: '大厅' })).toBeVisible();
    await expect(page.locator('.line-card')).toHaveCount(1);
  });
  await anna.page.context().close();
  await bo.page.context().close();
  await cai.page.context().close();
});
