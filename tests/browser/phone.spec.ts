// A table on a phone: what is told stands where it is seen, picked pieces show all their ways, looking back shows the
// board, and a question gives the focus back.
import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { person, register, sit } from './people.ts';
import { at, importFile, play, speak, tabTo } from './table.ts';
import { expectFitting, resize, WINDOWS } from './windows.ts';

test('a table on a phone tells where it is seen', async ({ browser }) => {
  const bo = await person(browser, 'phone', 'Bo');
  const { page } = bo;
  const top = async (css: string) => (await page.locator(css).boundingBox())?.y ?? Number.NaN;

  await test.step('a long announcement leaves room for the page', async () => {
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { data?: { announcement?: unknown } };
      if (answer.data && 'announcement' in answer.data)
        answer.data.announcement = { text: '今晚维护。'.repeat(96), since: '2026-01-05T08:00:00.000Z' };
      await route.fulfill({ response, json: answer });
    });
    await page.goto('/');
    await expect(page.locator('h1')).toBeVisible();
    const box = await page.locator('.announced').boundingBox();
    expect(box?.height).toBeLessThan(844 * 0.33);
    await expectAccessible(page, 'a long announcement');
    await page.locator('.announced button').click();
    await page.unroute('**/graphql');
  });

  await register(bo);
  await sit(bo);
  await test.step('messages stand above the bar, one at a time', async () => {
    await page.getByRole('button', { name: '随机' }).click();
    await expect(page.locator('.toast')).toHaveCount(1);
    const bottom = () =>
      page.locator('.toast').evaluate((toast) => {
        const bars = document.querySelector('.bars')?.getBoundingClientRect();
        return (bars?.top ?? 0) - toast.getBoundingClientRect().bottom;
      });
    await expect.poll(bottom).toBeGreaterThanOrEqual(0);
    expect(await top('.toast')).toBeGreaterThan((await top('.stage')) + 100);
  });
  await test.step('what went wrong stays, and covers nothing', async () => {
    await importFile(page, 'holiday.jql', Buffer.from('?'));
    await expect(page.locator('.toast.bad')).toContainText('读不出');
    for (const window of WINDOWS) {
      await resize(page, window);
      const { toast, play } = await page.evaluate(() => {
        scrollTo(0, 0);
        const [toast, play] = ['.toast.bad', '.play'].map((css) =>
          document.querySelector(css)?.getBoundingClientRect().toJSON(),
        ) as [DOMRect, DOMRect];
        return { toast, play };
      });
      expect(toast.bottom, window.join(' × ')).toBeLessThanOrEqual(play.top || Number.POSITIVE_INFINITY);
    }
    await expectFitting(page, 'a message that stays');
    await resize(page, [390, 844]);
    await page.locator('.toast.bad button').click();
    await expect(page.locator('.toast')).toHaveCount(0);
  });
  await page.getByRole('button', { name: '完成调度' }).click();
  await expect(page.locator('.status.own')).toBeVisible({ timeout: 60_000 });

  const region = (name: string) => page.locator('.zoom').getByRole('button', { name });
  await test.step('a piece that cannot move says why; one that can shows all its ways', async () => {
    await region('下方区域').click();
    await page.locator('.nodes [aria-label*="自己的军旗"]').click({ force: true });
    await expect(page.locator('.bar .news')).toHaveText('军旗不能走');
    await expect(page.locator('.bar .hint').first()).toBeHidden();
    const [front = ''] = await page
      .locator('.nodes .can')
      .evaluateAll((nodes) =>
        nodes.map((node) => node.getAttribute('data-at') ?? '').filter((id) => /^.1[135]$/.test(id)),
      );
    await at(bo, front).click({ force: true });
    await expect(page.locator('.bar .news')).toContainText('可到');
    await expect(region('全图')).toHaveAttribute('aria-pressed', 'true');
    for (const goal of await page.locator('.nodes .goal').all()) await expect(goal).toBeInViewport();
    await at(bo, front).click({ force: true });
    await expect(page.locator('.nodes .goal')).toHaveCount(0);
  });

  await play(bo);
  await expect(page.locator('.status.own')).toBeVisible({ timeout: 60_000 });

  await test.step('cards hold all that they may have to tell, in the longest language', async () => {
    await speak(page, 'en');
    await expect(page.locator('.plate .seat .tag')).toHaveText(Array(3).fill('House player'));
    // House players think too fast for a look at their clocks: each card gets a copy of the own one.
    await page.evaluate(() => {
      const clock = document.querySelector('.seat-clock');
      for (const card of document.querySelectorAll('.seat:not(.turn)'))
        if (clock) card.append(clock.cloneNode(true));
    });
    await expect(page.locator('.seat-clock')).toHaveCount(4);
    await expectFitting(page, 'four clocks');
    await speak(page, 'zh-Hans');
  });

  await test.step('forced colours tell whose turn it is, and what is zoomed to', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const border = (css: string) =>
      page
        .locator(css)
        .first()
        .evaluate((element) => `${getComputedStyle(element).border}`);
    expect(await border('.zoom [aria-pressed="true"]')).not.toBe(await border('.zoom [aria-pressed="false"]'));
    expect(await border('.seat.turn')).not.toBe(await border('.seat:not(.turn)'));
    await page.emulateMedia({ forcedColors: 'none' });
  });

  await test.step('looking back shows the board, and says that it is past', async () => {
    await page.locator('.log .line').nth(1).click();
    await expect(page.locator('.status')).toHaveText('正在回看，不影响对局');
    await expect(page.locator('.board')).toBeInViewport({ ratio: 0.99 });
    await expect(page.locator('.seat-clock')).toHaveCount(0);
    const bar = page.locator('.looking');
    for (const name of ['上一步', '下一步', '回到现在'])
      await expect(bar.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    await expectAccessible(page, 'looking back on a phone');
    await expectFitting(page, 'looking back');
    const shown = await bar.locator('.hint').textContent();
    await bar.getByRole('button', { name: '上一步' }).click();
    await expect(bar.locator('.hint')).not.toHaveText(shown ?? '');
    await bar.getByRole('button', { name: '回到现在' }).click();
    await expect(bar).toHaveCount(0);
    await expect(page.locator('.status')).not.toContainText('回看');
  });

  await test.step('a question gives the focus back to the menu it was asked from', async () => {
    await tabTo(page, '.bars details.menu summary');
    await page.keyboard.press('Enter');
    await tabTo(page, '.bars .menu-list button:last-child');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('9 分');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.locator('.bars details.menu summary')).toBeFocused();
  });
  expect(bo.received.filter((text) => text.startsWith('page error'))).toEqual([]);
  await page.context().close();
});
