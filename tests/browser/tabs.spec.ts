// Two tabs of one browser: who is logged in and what was set is the same in both at once.
import { expect, test } from '@playwright/test';
import { person, register } from './people.ts';

test('tabs of a browser agree on login and settings', async ({ browser }) => {
  const tina = await person(browser, 'desktop', 'Tina');
  const one = tina.page;
  const other = await one.context().newPage();

  await test.step('logging in leads the other tab to where it wanted to go', async () => {
    await other.goto('/record');
    await expect(other.getByRole('heading', { name: '登录' })).toBeVisible();
    await register(tina);
    await expect(other.getByRole('heading', { name: '我的战绩' })).toBeVisible();
    await expect(other.locator('.bell')).toBeVisible();
  });

  await test.step('colours, language and switches hold in both', async () => {
    await one.goto('/settings');
    await other.goto('/settings');
    await one.getByText('深色', { exact: true }).click();
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark');
    await other.getByRole('switch', { name: /文字模式/ }).check();
    await expect(one.getByRole('switch', { name: /文字模式/ })).toBeChecked();
    await one.getByRole('switch', { name: /走子前确认/ }).uncheck();
    await expect(other.getByRole('switch', { name: /走子前确认/ })).not.toBeChecked();
    await one.locator('#language').selectOption('en');
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Settings');
    await expect(other.locator('#language')).toHaveValue('en');
    await other.locator('#language').selectOption('zh-Hans');
    await expect(one.getByRole('heading', { level: 1 })).toHaveText('设置');
  });

  await test.step('logging out reaches the other tab, which does not call it an ended session', async () => {
    await other.goto('/lobby');
    await expect(other.getByRole('heading', { name: '大厅' })).toBeVisible();
    await one.getByRole('button', { name: '退出账号' }).click();
    await expect(other.getByRole('heading', { name: '登录' })).toBeVisible();
    await expect(other.getByRole('button', { name: '登录' })).toBeVisible();
    await expect(other.getByText('登录已结束')).toHaveCount(0);
    await expect(one.getByRole('link', { name: '注册' })).toBeVisible();
  });
  await one.context().close();
});
