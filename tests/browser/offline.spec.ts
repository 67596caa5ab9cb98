// Without a network: who was here once, on whatever page, can open the first page, the viewer, a replay and the manual;
// the server’s answers are never kept; a part that cannot be loaded says so and comes when it is asked for again.
import { expect, type Page, test } from '@playwright/test';
import { person, register, sit } from './people.ts';

test.use({ serviceWorkers: 'allow' });

/** The paths that the browser keeps. */
const kept = (page: Page) =>
  page.evaluate(async () =>
    (await (await caches.open('yibu-1')).keys()).map(({ url }) => new URL(url).pathname),
  );

/** Waits until the browser keeps all that the viewer and the manual need. */
async function expectKept(page: Page): Promise<void> {
  const worker = await (await page.request.get('/sw.js')).text();
  const needed: string[] = JSON.parse(/const NEEDED = (\{.*\});/.exec(worker)?.[1] ?? '{}')['zh-Hans'];
  expect(needed.some((path) => /ReplayPage.*js$/.test(path))).toBe(true);
  const missing = async () => {
    const there = await kept(page);
    return needed.filter((path) => !there.includes(path));
  };
  await expect.poll(missing).toEqual([]);
  expect((await kept(page)).filter((path) => path.startsWith('/graphql'))).toEqual([]);
}

const nav = (page: Page) => page.getByRole('navigation', { name: '主导航' });

async function expectViewer(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: '选择复盘文件' })).toBeVisible();
}

async function expectManual(page: Page): Promise<void> {
  await expect(page.locator('.manual article section').first()).toBeVisible();
}

/** Opens both pages offline, by link from where the person is and by load. */
async function expectBoth(page: Page): Promise<void> {
  await nav(page).getByRole('link', { name: '复盘' }).click();
  await expectViewer(page);
  await nav(page).getByRole('link', { name: '手册' }).click();
  await expectManual(page);
  await page.goto('/manual');
  await expectManual(page);
  await page.goto('/replay');
  await expectViewer(page);
  await expect(page.getByText('复盘照样可以看')).toBeVisible();
}

/** Picks a small file of version 1 on the page. */
async function pickFile(page: Page): Promise<void> {
  const board = { s11: { seat: 's', piece: 'colonel' }, n11: { seat: 'n' } };
  const file = { format: 'yibu-replay', version: 1, board, moves: [{ from: 's11', to: 'c31' }] };
  await page.locator('input[type=file]').setInputFiles({
    name: 'old.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(file)),
  });
}

test('the first page imports a replay offline, whatever else was looked at before', async ({
  page,
  context,
}) => {
  await page.goto('/manual');
  await expectKept(page);
  for (const path of ['/favicon.svg', '/robots.txt', '/manifest.webmanifest']) await page.goto(path);
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await pickFile(page);
  await expect(page.locator('.piece')).toHaveCount(2);
});

test('the replay viewer opens offline', async ({ page, context }) => {
  await page.goto('/');
  await expectKept(page);
  await context.setOffline(true);
  await page.goto('/replay');
  await expectViewer(page);
  await pickFile(page);
  await expect(page.locator('.piece')).toHaveCount(2);
  await expect(page.getByText('没有昵称与人员事件')).toBeVisible();
  await page.getByRole('button', { name: '前进一步' }).click();
  await expect(page.locator('.nodes [data-at="c31"]')).toHaveAttribute('aria-label', /团长/);
});

test('viewer and manual open offline for whoever began at the login', async ({ page, context }) => {
  await page.goto('/login');
  await expectKept(page);
  await context.setOffline(true);
  await expectBoth(page);
});

test('viewer and manual open offline for whoever began in the lobby', async ({ browser }) => {
  const olga = await person(browser, 'desktop', 'Olga');
  await register(olga);
  const state = await olga.page.context().storageState();
  await olga.page.context().close();
  const context = await browser.newContext({ storageState: state, serviceWorkers: 'allow' });
  const page = await context.newPage();
  await page.goto('/lobby');
  await expect(page.getByRole('heading', { name: '大厅' })).toBeVisible();
  await expectKept(page);
  await context.setOffline(true);
  await expectBoth(page);
  // A page that was loaded offline does not know who is logged in.
  await expect(nav(page).getByRole('link', { name: '登录' })).toHaveCount(0);
  await nav(page).getByRole('link', { name: '设置' }).click();
  await expect(page.getByRole('alert')).toContainText('连不上服务器');
  await page.getByRole('alert').getByRole('button', { name: '再试一次' }).click();
  await expect(page.getByRole('alert')).toContainText('连不上服务器');
  // It tries by itself once the network is back.
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: '设置', level: 1 })).toBeVisible();
  await context.close();
});

for (const workers of ['allow', 'block'] as const) {
  test(`what did not come without a network comes when it is asked for again, workers: ${workers}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ serviceWorkers: workers, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    // The network goes before the dialog was fetched ahead.
    let lose = () => {};
    const lost = new Promise<void>((done) => {
      lose = done;
    });
    await context.route(/assets\/Question/, async (route) => {
      await lost;
      await route.abort();
    });
    const pat = { page, name: `Pat${workers}`, email: `pat-${workers}@example.org`, received: [] };
    await register(pat);
    await sit(pat);
    await expect(page.getByRole('button', { name: '完成调度' })).toBeVisible();
    const quit = async () => {
      await page.getByText('更多', { exact: true }).click();
      await page.getByRole('button', { name: '离席' }).click();
    };
    await context.setOffline(true);
    lose();
    const bell = page.locator('.bell > button');
    await bell.click();
    await expect(page.locator('.toast.bad')).toContainText('连不上服务器');
    await expect(bell).toHaveAttribute('aria-expanded', 'false');
    await expect(page.locator('.bell > *')).toHaveCount(1);
    await quit();
    await expect(page.locator('[role=alert], dialog')).toHaveCount(0);
    await context.unroute(/assets\/Question/);
    await context.setOffline(false);
    await quit();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toBeVisible();
    // It comes with its style.
    await expect(dialog).toHaveCSS('border-radius', '14px');
    await dialog.getByRole('button', { name: '取消' }).click();
    await expect(dialog).toHaveCount(0);
    await bell.click();
    await expect(page.locator('.bell-panel')).toBeVisible();
    await context.close();
  });
}
