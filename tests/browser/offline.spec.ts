// Without a network: who was here once can open the viewer and a replay; the server’s answers are never kept.
import { expect, test } from '@playwright/test';

test.use({ serviceWorkers: 'allow' });

test('the replay viewer opens offline', async ({ page, context }) => {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const viewer = () =>
    page.evaluate(async () =>
      (await (await caches.open('yibu-1')).keys()).map(({ url }) => new URL(url).pathname),
    );
  await expect.poll(async () => (await viewer()).some((path) => /ReplayPage.*js$/.test(path))).toBe(true);
  expect((await viewer()).filter((path) => path.startsWith('/graphql'))).toEqual([]);
  await context.setOffline(true);
  await page.goto('/replay');
  await expect(page.getByRole('button', { name: '选择复盘文件' })).toBeVisible();
  const board = { s11: { seat: 's', piece: 'colonel' }, n11: { seat: 'n' } };
  const file = { format: 'yibu-replay', version: 1, board, moves: [{ from: 's11', to: 'c31' }] };
  await page.locator('input[type=file]').setInputFiles({
    name: 'old.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  });
  await expect(page.locator('.piece')).toHaveCount(2);
  await expect(page.getByText('没有昵称与人员事件')).toBeVisible();
  await page.getByRole('button', { name: '前进一步' }).click();
  await expect(page.locator('.nodes [data-at="c31"]')).toHaveAttribute('aria-label', /团长/);
});
