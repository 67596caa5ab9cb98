// Administrators: made by the command line, their page, an announcement for everybody, finding and suspending.
import { expect, test } from '@playwright/test';
import { expectAccessible, expectHittable } from './accessible.ts';
import { login, person, register } from './people.ts';
import { grant, RUNNING } from './servers.ts';


test.skip(RUNNING !== undefined, 'the command line needs the server’s own folder');

test('an administrator announces, finds and suspends', async ({ browser }) => {
  const gita = await person(browser, 'desktop', 'Gita');
  const hans = await person(browser, 'phone', 'Hans');
  await register(gita);
  await register(hans);
  const { page } = gita;
  grant(gita.email);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('管理');
  await expect(page.getByRole('heading', { name: '站点设置' })).toBeVisible();
  await expectAccessible(page, 'admin');

  const fold = page.locator('.fold[open]');
  // The trail beside tells what was changed in the same words.
  const setting = (name: string) => page.locator('summary', { hasText: name });
  await test.step('a bad value changes nothing', async () => {
    await setting('改普通邮件等待').click();
    const reason = fold.getByLabel('理由');
    await reason.fill('no such code!');
    await fold.getByRole('button', { name: '生效' }).click();
    expect(await reason.evaluate((input: HTMLInputElement) => input.validity.patternMismatch)).toBe(true);
    await fold.getByRole('spinbutton').fill('30');
    await reason.fill('calmer');
    await fold.getByRole('button', { name: '生效' }).click();
    await expect(page.locator('.facts-list')).toContainText('30 分钟');
    await setting('改普通邮件等待').click();
  });

  await test.step('an announcement reaches everybody', async () => {
    await setting('改公告').click();
    await fold.locator('textarea').fill('今晚维护');
    await fold.getByLabel('理由').fill('upkeep');
    await fold.getByRole('button', { name: '生效' }).click();
    await expect(page.locator('.announced')).toContainText('今晚维护');
    // On a page that is open as it is, and for a visitor at the next visit.
    await expect(hans.page.locator('.announced')).toContainText('今晚维护');
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto('/');
    await expect(visitor.locator('.announced')).toContainText('今晚维护');
    await visitor.context().close();
    await hans.page.goto('/');
    await expect(hans.page.locator('.announced')).toContainText('今晚维护');
    await expect(hans.page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(hans.page, 'announced');
    await expectHittable(hans.page, 'announced');
    await hans.page.locator('.announced').getByRole('button').click();
    await hans.page.reload();
    await expect(hans.page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(hans.page.locator('.announced')).toHaveCount(0);
    await fold.locator('textarea').fill('');
    await fold.getByLabel('理由').fill('upkeep_over');
    await fold.getByRole('button', { name: '生效' }).click();
    await expect(page.locator('.announced')).toHaveCount(0);
    await setting('改公告').click();
  });

  await test.step('somebody is found and suspended', async () => {
    const finder = page.locator('section', { has: page.getByRole('heading', { name: '查找棋手' }) });
    await finder.getByRole('searchbox').fill(hans.email);
    await finder.getByRole('button', { name: '查找' }).click();
    await expect(finder).toContainText(hans.name);
    await finder.getByText('停用账号', { exact: true }).first().click();
    await fold.getByLabel('理由').fill('test_of_ours');
    await fold.getByRole('button', { name: '停用账号' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '停用账号' }).click();
    await expect(finder).toContainText('已停用');
    await expect(
      page.locator('section', { has: page.getByRole('heading', { name: '操作记录' }) }),
    ).toContainText('test_of_ours');
    await expectAccessible(page, 'a player found');
    await login(hans);
    await expect(hans.page.getByRole('alert')).toContainText('停用');
  });
  await page.context().close();
  await hans.page.context().close();
});
