// Every page that needs no match, on both devices, in both themes: axe finds nothing, nothing is too small to hit,
// nothing is wider than the screen, and nothing is asked of other hosts.
import { expect, test } from '@playwright/test';
import { expectAccessible, expectHittable } from './accessible.ts';
import { expectNoSideways } from './layout.ts';
import { DEVICES } from './people.ts';

const PAGES = ['/', '/login', '/register', '/reset', '/replay', '/manual', '/settings', '/nowhere'];

for (const device of ['desktop', 'phone'] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`pages on a ${device}, ${colorScheme}`, async ({ browser, baseURL }) => {
      const context = await browser.newContext({ ...DEVICES[device], colorScheme });
      const page = await context.newPage();
      const strangers: string[] = [];
      const problems: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(baseURL ?? '')) strangers.push(request.url());
      });
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      for (const path of PAGES) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page, path);
        await expectHittable(page, path);
        await expectNoSideways(page, path);
      }
      expect(strangers).toEqual([]);
      expect(problems).toEqual([]);
      await context.close();
    });
  }
}

test('languages and themes are kept', async ({ page }) => {
  await page.goto('/settings');
  await page.getByLabel('语言').selectOption('en');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await page.getByText('Dark', { exact: true }).click();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.goto('/manual');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Commander’s manual');
});

test('a wrong file is told with what was expected', async ({ page }) => {
  await page.goto('/');
  await page.locator('input[type=file]').setInputFiles({
    name: 'holiday.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"format":"photo"}'),
  });
  await expect(page.getByRole('alert')).toContainText('不是复盘文件');
  await expect(page.getByRole('alert')).toContainText('以 .yibu-replay.json 结尾');
  await expect(page.getByRole('button', { name: '选择复盘文件' })).toBeVisible();
});

test('a table is not shown to strangers', async ({ page }) => {
  await page.goto('/table/6d00000000000000000000000000000000');
  await expect(page.getByRole('heading', { name: '登录' })).toBeVisible();
});
