// A formation goes out into files and comes back: random, saved in the browser, exported, imported from QQ's form; a
// file that is none is refused in words.
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { person, register, sit } from './people.ts';
import { formation, importFile } from './table.ts';

test('formations are saved, exported and imported', async ({ browser }) => {
  const dora = await person(browser, 'desktop', 'Dora');
  const { page } = dora;
  await register(dora);
  await sit(dora);
  const first = await formation(page);

  await page.getByRole('button', { name: '随机' }).click();
  await expect.poll(() => formation(page)).not.toBe(first);
  const second = await formation(page);

  await page.getByRole('button', { name: '阵型库' }).click();
  await page.getByLabel('阵型名称').fill('试阵');
  await page.getByRole('button', { name: '保存当前阵型' }).click();
  await expect(page.getByRole('dialog')).toContainText('试阵');
  await expectAccessible(page, 'saved formations');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: '导出' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('试阵.yibu-formation.json');
  const file = readFileSync(await download.path());
  expect((JSON.parse(file.toString()) as { pieces: unknown[] }).pieces).toHaveLength(25);
  await page.getByRole('button', { name: '关闭' }).click();

  const jql = Buffer.alloc(50);
  jql.write('QQGame JQL File\0', 'latin1');
  jql.writeUInt32LE(1111, 16);
  const rows = [
    [5, 6, 7, 7, 8],
    [8, 0, 9, 0, 9],
    [10, 10, 0, 4, 4],
    [11, 0, 11, 0, 11],
    [12, 12, 12, 13, 13],
    [3, 2, 3, 13, 3],
  ];
  for (const [i, code] of rows.flat().entries()) jql[20 + i] = code;
  await importFile(page, 'qq.jql', jql);
  await expect.poll(() => formation(page)).not.toBe(second);
  await expect(page.locator('.nodes .can').last()).toHaveAttribute('aria-label', /自己的地雷/);

  await importFile(page, 'again.yibu-formation.json', file);
  await expect.poll(() => formation(page)).toBe(second);

  await importFile(page, 'no.json', Buffer.from('{"format":"something else"}'));
  await expect(page.locator('.toast.bad')).toContainText('读不出');
  await expect(page.locator('.toast.bad')).toContainText('.yibu-formation.json');
  expect(await formation(page)).toBe(second);

  jql[20] = 3;
  jql[20 + 25] = 5;
  await importFile(page, 'mine-in-front.jql', jql);
  await expect(page.locator('.bar .problem')).toContainText('地雷只能放在最后两排');
  expect(await formation(page)).toBe(second);
  await page.context().close();
});
