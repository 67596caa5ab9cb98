// An account in the hands of its owner: nickname, reminders, own data, sessions, a forgotten password, and the end.
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { DEVICES, login, PASSWORD, person, register } from './people.ts';

const FRESH = 'another battery horse';

test.setTimeout(240_000);

test('an account is changed, taken along, recovered and deleted', async ({ browser }) => {
  const finn = await person(browser, 'desktop', 'Finn');
  const { page, email } = finn;
  await register(finn);

  await test.step('the nickname', async () => {
    await page.goto('/settings');
    await page.getByText('改昵称', { exact: true }).first().click();
    await page.getByLabel('昵称').fill(`${finn.name}x`);
    await page.getByRole('button', { name: '改昵称' }).click();
    await expect(page.locator('.facts-list')).toContainText(`${finn.name}x`);
    await expect(page.locator('.fold').first()).toContainText('还可以改 1 次');
  });

  await test.step('reminders', async () => {
    await page.getByText('仅临期').click();
    await page.getByLabel('从').fill('22:00');
    await page.getByLabel('到', { exact: true }).fill('08:00');
    await page.getByLabel('所在时区').selectOption('Asia/Tokyo');
    await page.getByRole('button', { name: '保存' }).click();
    await expect(page.locator('.toast')).toContainText('已保存');
    await page.reload();
    await expect(page.getByRole('radio', { name: /仅临期/ })).toBeChecked();
    await expect(page.getByLabel('所在时区')).toHaveValue('Asia/Tokyo');
    await expect(page.getByLabel('从')).toHaveValue('22:00');
  });

  await test.step('own data', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: '导出我的资料' }).click(),
    ]);
    const text = readFileSync(await download.path()).toString();
    expect(text).toContain(email);
    expect(() => JSON.parse(text)).not.toThrow();
    expect(text).not.toContain(PASSWORD);
  });

  const other = await (await browser.newContext(DEVICES.phone)).newPage();
  await test.step('another device is seen and ended', async () => {
    await login({ ...finn, page: other });
    await expect(other.getByRole('heading', { name: '大厅' })).toBeVisible();
    await page.reload();
    await page.getByRole('button', { name: '结束其他所有登录' }).click();
    await expect(page.locator('.toast')).toContainText('已结束 1 个登录');
    await expect(other.getByRole('heading', { name: '登录' })).toBeVisible();
  });

  await test.step('a wrong password changes nothing', async () => {
    await page.getByText('改密码', { exact: true }).first().click();
    const fold = page.locator('.fold[open]').last();
    await fold.getByLabel('当前密码').fill('not this one at all');
    await fold.getByLabel('新密码').fill(FRESH);
    await fold.getByRole('button', { name: '改密码' }).click();
    await expect(fold.getByRole('alert')).toContainText('当前密码不对');
  });

  await test.step('a forgotten password', async () => {
    await other.goto('/login');
    await other.getByRole('link', { name: '忘记密码' }).click();
    await other.getByLabel('邮箱').fill(email);
    // An address gets one mail a minute, and registering was one.
    await expect(async () => {
      await other.getByRole('button', { name: '寄重设链接' }).click();
      await expect(other.getByRole('status').filter({ hasText: email })).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 90_000, intervals: [5_000] });
    let letter = '';
    await expect
      .poll(async () => {
        const box = await (await other.request.get('/dev/mail')).text();
        for (const [, path = ''] of box.matchAll(/href="(\/dev\/mail\/[^"]+)"/g)) {
          const mail = await (await other.request.get(path)).text();
          if (mail.includes(email) && /\/reset#token=[\w-]+/.test(mail)) letter = path;
        }
        return letter;
      })
      .not.toBe('');
    await other.goto(letter);
    await other.getByRole('link', { name: '/reset#token=' }).click();
    await expect(other).toHaveURL(/\/reset$/);
    await other.getByLabel('新密码').fill(FRESH);
    await other.getByRole('button', { name: '设为新密码' }).click();
    await expect(other.getByRole('heading', { name: '登录' })).toBeVisible();
    await expect(page.getByRole('heading', { name: '我的资料' })).toHaveCount(0);
    await login({ ...finn, page: other }, FRESH);
    await expect(other.getByRole('heading', { name: '大厅' })).toBeVisible();
  });

  await test.step('the end', async () => {
    await other.goto('/settings');
    await other.getByText('注销账号', { exact: true }).first().click();
    await expect(other.locator('.fold[open]')).toContainText('每局扣 9 分');
    await other.getByLabel('当前密码').last().fill(FRESH);
    await other.getByRole('button', { name: '注销账号' }).click();
    await expect(other.getByRole('dialog')).toContainText('没有占着的席位');
    await other.getByRole('dialog').getByRole('button', { name: '注销账号' }).click();
    await expect(other.getByRole('link', { name: '注册' })).toBeVisible();
    await login({ ...finn, page: other }, FRESH);
    await expect(other.getByRole('alert')).toContainText('不对');
  });
  await other.context().close();
  await page.context().close();
});
