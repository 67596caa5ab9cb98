// Two people, one on a phone, from registration to moves at one table with house players: arranging by tap and by
// drag, moves by mouse, finger and keyboard, looking back, reconnecting; and nobody is sent what is hidden.
import { expect, test } from '@playwright/test';
import { expectAccessible, expectHittable } from './accessible.ts';
import { boardsSeen, leaks } from './leaks.ts';
import { PASSWORD, type Person, person, register, sit } from './people.ts';
import { exchangeByDrag, exchangeByTap, play, playByKeys, playInText } from './table.ts';

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

  await test.step('arrange by tap on the desktop', () => exchangeByTap(anna));
  await test.step('arrange by drag on the phone', () => exchangeByDrag(bo));

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
    await playByKeys(anna);
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

  await test.step('text mode plays as well, by keyboard alone', async () => {
    await expect(anna.page.locator('.status.own')).toBeVisible({ timeout: 60_000 });
    await playInText(anna, () => expectAccessible(anna.page, 'text mode'));
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
