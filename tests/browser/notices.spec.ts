// Notices: the bell counts and lists them, the browser shows each once over two tabs; a private mark is nobody else's;
// subscriptions go over to event streams where web sockets are cut.
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { leaks } from './leaks.ts';
import { person, register, sit } from './people.ts';
import { play } from './table.ts';

interface Told {
  told: string[];
}

/** Stands in for the browser's notifications, since a browser without a screen shows none. */
async function listen(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const here = globalThis as unknown as Told & { Notification: unknown };
    here.told = [];
    here.Notification = class {
      static permission = 'granted';
      constructor(_: string, { tag }: { tag: string }) {
        here.told.push(tag);
      }
      close() {}
    };
  });
}
const told = (page: Page) => page.evaluate(() => (globalThis as unknown as Told).told);

test('notices come once, marks stay private', async ({ browser }) => {
  const ida = await person(browser, 'desktop', 'Ida');
  const jon = await person(browser, 'desktop', 'Jon');
  await listen(ida.page);
  await register(ida);
  await register(jon);
  const second = await ida.page.context().newPage();
  await second.goto('/manual');
  await Promise.all([sit(ida), sit(jon)]);
  const table = new URL(ida.page.url()).pathname;
  await ida.page.getByRole('button', { name: '完成调度' }).click();
  await expect(ida.page.getByRole('button', { name: '撤回，再调整' })).toBeVisible();

  await test.step('once over two tabs', async () => {
    await ida.page.goto('/lobby');
    await expect(ida.page.locator('.line-card')).toHaveCount(1);
    await jon.page.getByRole('button', { name: '完成调度' }).click();
    const started = async () =>
      [...(await told(ida.page)), ...(await told(second))].filter((tag) => tag.includes('TABLE_STARTED'));
    await expect.poll(async () => (await started()).length, { timeout: 60_000 }).toBeGreaterThan(0);
    // Both tabs have heard of it when both bells count it.
    for (const page of [ida.page, second]) await expect(page.locator('.bell .count')).toBeVisible();
    expect(await started()).toHaveLength(1);
  });

  await test.step('the bell', async () => {
    await expect(second.locator('.bell .count')).toBeVisible();
    await second.locator('.bell > button').click();
    await expect(second.locator('.bell-panel')).toContainText('棋局开始了');
    await expectAccessible(second, 'bell');
    await second.getByRole('button', { name: '全部标为已读' }).click();
    await expect(second.locator('.bell .count')).toHaveCount(0);
    await second.keyboard.press('Escape');
    await expect(second.locator('.bell-panel')).toHaveCount(0);
    await second.goto('/notices');
    await expect(second.locator(`.notice-line[href="${table}"]`).first()).toBeVisible();
    await expectAccessible(second, 'notices');
  });

  await test.step('a mark is seen by its writer alone', async () => {
    await ida.page.goto(table);
    await expect(ida.page.locator('.table.playing')).toBeVisible();
    const hidden = ida.page.locator('.nodes [data-at]:not(.can):not(.goal)');
    const at = await hidden.evaluateAll((nodes) => {
      const found = nodes.find((node) => node.getAttribute('aria-label')?.endsWith('暗子'));
      return found?.getAttribute('data-at') ?? '';
    });
    const node = (page: Page) => page.locator(`.nodes [data-at="${at}"]`);
    await node(ida.page).click({ force: true });
    await ida.page.getByRole('dialog').getByRole('textbox').fill('伏笔');
    await expectAccessible(ida.page, 'marks');
    await ida.page.getByRole('button', { name: '标上' }).click();
    await expect(node(ida.page)).toHaveAttribute('aria-label', /标记“伏笔”/);
    await ida.page.reload();
    await expect(node(ida.page)).toHaveAttribute('aria-label', /标记“伏笔”/);
    await jon.page.reload();
    await expect(jon.page.locator('.board')).toBeVisible();
    expect(jon.received.filter((payload) => payload.includes('伏笔'))).toEqual([]);
  });
  for (const one of [ida, jon]) expect(leaks(one.received), one.name).toEqual([]);
  await ida.page.context().close();
  await jon.page.context().close();
});

test('event streams stand in for web sockets, and leave connections for requests', async ({ browser }) => {
  const kim = await person(browser, 'desktop', 'Kim');
  const { page } = kim;
  const context = page.context();
  await context.addInitScript(() => {
    const Real = WebSocket;
    globalThis.WebSocket = class extends Real {
      constructor(_: string | URL, protocols?: string | string[]) {
        super(`ws://${location.host}/no-such-door`, protocols);
      }
    };
  });
  const streams: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/graphql/stream') streams.push(request.url());
  });
  await register(kim);
  await sit(kim);
  await expect.poll(() => streams.length, { timeout: 60_000 }).toBeGreaterThan(1);
  await expect(page.locator('.lost')).toHaveCount(0);
  await page.getByRole('button', { name: '完成调度' }).click();
  await expect(page.locator('.table.playing')).toBeVisible({ timeout: 60_000 });
  await expect(page.locator('.status.own')).toBeVisible({ timeout: 90_000 });

  await test.step('five windows: a move confirmed in one arrives in all', async () => {
    const windows = [page];
    while (windows.length < 5) {
      const next = await context.newPage();
      windows.push(next);
      await next.goto(page.url());
      await expect(next.locator('.status.own')).toBeVisible();
      await expect(next.locator('.lost')).toHaveCount(0);
    }
    const last = windows.at(-1) ?? page;
    const lines = (one: Page) => one.locator('.log .line').allTextContents();
    const before = (await lines(last)).length;
    await play({ ...kim, page: last });
    for (const one of windows) await expect.poll(async () => (await lines(one)).length).toBeGreaterThan(before);
    for (const one of windows) await expect(one.locator('.lost')).toHaveCount(0);
  });
  await context.close();
});
