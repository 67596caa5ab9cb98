// Event streams in a bad network and in the background: a stream that is dead without a word is noticed and comes again;
// a hidden window hears what waits.
import { expect, type Page, test } from '@playwright/test';
import { Clockwork } from './clockwork.ts';
import { type Person, person, register, sit } from './people.ts';
import { Wire } from './wire.ts';

// A server of their own: whoever sits down here leaves no half-taken table to other tests.
let server: Clockwork;
test.beforeAll(async () => {
  server = await Clockwork.start();
});
test.afterAll(() => server.stop());

/** Leaves a browser no web socket, as some networks do. */
async function withoutSockets(page: Page): Promise<void> {
  await page.context().addInitScript(() => {
    const Real = WebSocket;
    globalThis.WebSocket = class extends Real {
      constructor(_: string | URL, protocols?: string | string[]) {
        super(`ws://${location.host}/no-such-door`, protocols);
      }
    };
  });
}

const streaming = ({ page }: Person) =>
  page.waitForRequest((request) => /WatchTable/.test(request.url()), { timeout: 60_000 });
/** How many have sat down, as the page shows it. */
const taken = async (page: Page) =>
  Number(/(\d)\/4/.exec((await page.locator('.status').textContent()) ?? '')?.[1]);

test('a stream that the network forgot is noticed soon, and comes again', async ({ browser }) => {
  const wire = await Wire.to(server.url);
  const kim = await person(browser, 'desktop', 'Kim', { baseURL: wire.url });
  const lee = await person(browser, 'desktop', 'Lee', { baseURL: server.url });
  await withoutSockets(kim.page);
  await register(kim);
  await register(lee);
  const stream = streaming(kim);
  await sit(kim);
  await (await stream).response();
  await expect(kim.page.locator('.lost')).toHaveCount(0);
  const before = await taken(kim.page);
  expect(before).toBeGreaterThan(0);
  wire.forget();
  await sit(lee);
  // Silent for 25 s, then asked for anew; the machine may be busy.
  await expect.poll(() => taken(kim.page), { timeout: 60_000 }).toBe(before + 1);
  await expect(kim.page.locator('.lost')).toHaveCount(0);
  for (const { page } of [kim, lee]) await page.context().close();
  wire.close();
});

test('a hidden window hears what waits', async ({ browser }) => {
  const kim = await person(browser, 'desktop', 'Kim', { baseURL: server.url });
  await withoutSockets(kim.page);
  await register(kim);
  const other = await kim.page.context().newPage();
  await other.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
  const looks = other.waitForRequest((request) => /WatchWaiting/.test(request.url()), { timeout: 60_000 });
  await other.goto('/manual');
  await looks;
  await expect(other).toHaveTitle(/^[^(]/);
  // Who sits has to arrange: that is a table that waits.
  await sit(kim);
  await expect(other).toHaveTitle(/^\(1\)/, { timeout: 30_000 });
  await kim.page.context().close();
});
