// A whole match to its end, the replay saved at the table, and opened again without a network.
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { expectAccessible, expectHittable } from './accessible.ts';
import { leaks } from './leaks.ts';
import { person, register, sit } from './people.ts';

test.use({ serviceWorkers: 'allow' });
test.setTimeout(300_000);

test('a match is played to its end, saved and opened offline', async ({ browser }) => {
  const lea = await person(browser, 'desktop', 'Lea');
  const { page } = lea;
  await register(lea);
  await sit(lea);
  await page.getByRole('button', { name: '完成调度' }).click();
  await expect(page.locator('.status.own')).toBeVisible({ timeout: 90_000 });
  await page.locator('.bars details.menu summary').click();
  await page.getByRole('button', { name: '投降', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: '投降' }).click();
  await expect(page.locator('.table.ended')).toBeVisible({ timeout: 240_000 });
  await expect(page.locator('.ended table')).toBeVisible();
  await expectAccessible(page, 'ended');
  await expectHittable(page, 'ended');

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '保存复盘到本地' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.yibu-replay\.json$/);
  const buffer = readFileSync(await download.path());
  expect(JSON.parse(buffer.toString())).toMatchObject({ format: 'yibu-replay', version: 2 });
  // The table itself stays dark.
  expect(leaks(lea.received.filter((payload) => !payload.includes('yibu-replay')))).toEqual([]);

  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const kept = () =>
    page.evaluate(async () => (await (await caches.open('yibu-1')).keys()).map(({ url }) => url).join());
  await expect.poll(kept).toMatch(/ReplayPage.*js/);
  await page.context().setOffline(true);
  await page.goto('/replay');
  await page.locator('input[type=file]').setInputFiles({
    name: download.suggestedFilename(),
    mimeType: 'application/json',
    buffer,
  });
  await expect(page.locator('.piece.open')).toHaveCount(100);
  await expect(page.locator('.card.problem')).toHaveCount(0);
  await expect(page.locator('.replay .panel')).toContainText(lea.name);
  await page.getByRole('slider').press('End');
  await expect(page.locator('.ended table')).toContainText(lea.name);
  await page.context().close();
});
