// Every page of those who are logged in, on both devices, in both themes, and the narrowest phone in the longest
// language: axe finds nothing, nothing is too small to hit, nothing is wider than the screen.
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible, expectHittable } from './accessible.ts';
import { expectNoSideways } from './layout.ts';
import { DEVICES, login, person, register } from './people.ts';

const PAGES = ['/lobby', '/notices', '/leaderboard', '/record', '/settings'];

async function expectFit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.loading')).toHaveCount(0);
  for (const fold of await page.locator('.fold > summary').all()) await fold.click();
  await expectAccessible(page, path);
  await expectHittable(page, path);
  await expectNoSideways(page, path);
}

test('pages of members', async ({ browser }) => {
  const eva = await person(browser, 'desktop', 'Eva');
  await register(eva);
  for (const device of ['desktop', 'phone'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ ...DEVICES[device], colorScheme });
      const page = await context.newPage();
      await login({ ...eva, page });
      await expect(page.getByRole('heading', { name: '大厅' })).toBeVisible();
      for (const path of PAGES) await expectFit(page, path);
      await context.close();
    }
  }
  await test.step('the narrowest phone, in English', async () => {
    const { page } = eva;
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto('/settings');
    await page.getByLabel('语言', { exact: true }).selectOption('en');
    for (const path of PAGES) await expectFit(page, path);
  });
  await test.step('a profile that does not exist says so', async () => {
    const { page } = eva;
    await page.goto('/player/6c00000000000000000000000000000000');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such player');
    await page.goto('/admin');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('There is no such page');
  });
  await eva.page.context().close();
});
