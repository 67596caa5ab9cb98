// Lighthouse over the pages that people see most, as a phone: accessibility, best practices and search engines without
// a flaw, and nothing that jumps while a page loads.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test';
import lighthouse, { type Flags } from 'lighthouse';
import { type Person, person, register, sit } from './people.ts';

const CATEGORIES = ['accessibility', 'best-practices', 'seo'];
const JUMP = 'cumulative-layout-shift';
const MOST_JUMP = 0.02;

/** What is not measured is not waited for: short silences, no pictures; only simulated throttling leaves them short. */
const FLAGS: Flags = {
  onlyCategories: CATEGORIES,
  onlyAudits: [JUMP],
  throttlingMethod: 'simulate',
  disableFullPageScreenshot: true,
  disableStorageReset: true,
  pauseAfterFcpMs: 300,
  pauseAfterLoadMs: 300,
  networkQuietThresholdMs: 300,
  cpuQuietThresholdMs: 300,
  maxWaitForLoad: 20_000,
  logLevel: 'error',
};

/** A port that nobody listens on: Lighthouse reaches the browser by one. */
function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => found(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** What falls short, in words; empty where nothing does. */
async function shortcomings(url: string, port: number): Promise<string[]> {
  const lhr = (await lighthouse(url, { ...FLAGS, port }))?.lhr;
  if (!lhr) return ['no report'];
  const found = lhr.runtimeError ? [lhr.runtimeError.message] : [];
  for (const id of CATEGORIES) {
    const category = lhr.categories[id];
    if (category?.score === 1) continue;
    const why = category?.auditRefs
      .filter(({ id: audit, weight }) => weight > 0 && (lhr.audits[audit]?.score ?? 1) < 1)
      .map(({ id: audit }) => `${audit} ${JSON.stringify(lhr.audits[audit]?.details ?? '').slice(0, 600)}`);
    found.push(`${id} ${category?.score}: ${why?.join('; ')}`);
  }
  const jump = lhr.audits[JUMP]?.numericValue ?? Number.NaN;
  if (!(jump <= MOST_JUMP)) found.push(`${JUMP} ${jump}`);
  return found;
}

let folder = '';
let context: BrowserContext;
let port = 0;

test.beforeAll(async ({ launchOptions }) => {
  folder = mkdtempSync(join(tmpdir(), 'yibu-lighthouse-'));
  port = await freePort();
  // A context of its own folder is the browser's first one, which Lighthouse opens its pages in, logged in.
  context = await chromium.launchPersistentContext(folder, {
    ...launchOptions,
    baseURL: test.info().project.use.baseURL,
    locale: 'zh-CN',
    args: [...(launchOptions?.args ?? []), `--remote-debugging-port=${port}`],
  });
});

test.afterAll(async () => {
  await context?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function expectSpotless(page: Page, paths: readonly string[]): Promise<void> {
  const { origin } = new URL(page.url());
  for (const path of paths) {
    await test.step(path, async () => {
      expect.soft(await shortcomings(`${origin}${path}`, port), path).toEqual([]);
    });
  }
}

test('strangers’ pages satisfy Lighthouse', async () => {
  const page = await context.newPage();
  await page.goto('/');
  await expectSpotless(page, ['/', '/register', '/replay', '/manual']);
});

test('members’ pages satisfy Lighthouse', async ({ browser }) => {
  const mia: Person = { ...(await person(browser, 'phone', 'Mia')), page: await context.newPage() };
  const { page } = mia;
  await register(mia);
  await sit(mia);
  const table = new URL(page.url()).pathname;
  await expectSpotless(page, ['/lobby', '/leaderboard', '/settings', table]);
  await page.getByRole('button', { name: '完成调度' }).click();
  await expect(page.locator('.table.playing')).toBeVisible({ timeout: 60_000 });
  await expectSpotless(page, [table]);
});
