// How pages look, against pictures that were looked at: two sizes, two themes. A page that is meant to look otherwise
// gets new pictures with `npx playwright test visual --update-snapshots`; look at them before they are kept.
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { DEVICES, type Person, person, register, sit } from './people.ts';
import { importFile } from './table.ts';

const SIZES = {
  desktop: { ...DEVICES.desktop, viewport: { width: 1280, height: 800 } },
  phone: { ...DEVICES.phone, deviceScaleFactor: 1 },
};
const REPLAY = join(import.meta.dirname, '../../api/web/tests/fixtures/eliminations.yibu-replay.json');
/** From the front row to the last, left to right; camps are not named. */
const FORMATION = [
  ['lieutenant', 'engineer', 'captain', 'engineer', 'major'],
  ['captain', 'brigadier', 'major_general'],
  ['colonel', 'bomb', 'general', 'bomb'],
  ['major', 'colonel', 'brigadier'],
  ['mine', 'captain', 'lieutenant', 'commander', 'major_general'],
  ['mine', 'flag', 'mine', 'lieutenant', 'engineer'],
];

const CAMPS = new Set(['22', '24', '33', '42', '44']);

/** Compares what the screen shows; edges of letters may differ, shapes may not. */
async function expectLook(page: Page, name: string): Promise<void> {
  await expect(page.locator('.loading')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  await expect(page).toHaveScreenshot(`${name}.png`, {
    animations: 'disabled',
    stylePath: join(import.meta.dirname, 'still.css'),
    threshold: 0.25,
    maxDiffPixelRatio: 0.004,
  });
}

type Look = (page: Page, name: string) => Promise<void>;

test.describe('looks', () => {
  let mona: Person;
  let state: Awaited<ReturnType<BrowserContext['storageState']>>;

  test.beforeAll(async ({ browser }) => {
    mona = await person(browser, 'desktop', 'Mona');
    await register(mona);
    state = await mona.page.context().storageState();
  });
  test.afterAll(async () => mona.page.context().close());

  /** The same steps in both sizes and both themes. */
  const everywhere = (
    title: string,
    member: boolean,
    steps: Look,
    before: () => Promise<void> = async () => {},
  ) =>
    test(title, async ({ browser }) => {
      await before();
      for (const [size, device] of Object.entries(SIZES)) {
        for (const colorScheme of ['light', 'dark'] as const) {
          const context = await browser.newContext({
            ...device,
            colorScheme,
            // The pages refuse styles from elsewhere, and the evening out is one.
            bypassCSP: true,
            reducedMotion: 'reduce',
            storageState: member ? state : undefined,
          });
          await steps(await context.newPage(), `${size}-${colorScheme}`);
          await context.close();
        }
      }
    });

  everywhere('strangers’ pages', false, async (page, name) => {
    for (const [path, what] of [
      ['/', 'home'],
      ['/manual', 'manual'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectLook(page, `${what}-${name}`);
    }
  });

  everywhere('the replay viewer', false, async (page, name) => {
    await page.goto('/replay');
    await page.locator('input[type=file]').setInputFiles(REPLAY);
    await page.getByRole('slider').fill('40');
    await expect(page.locator('.status')).toContainText('第 40 /');
    await page.locator('#main').focus();
    await expectLook(page, `viewer-${name}`);
  });

  everywhere('an empty lobby', true, async (page, name) => {
    await page.goto('/lobby');
    await expect(page.locator('.tables')).toBeVisible();
    await expectLook(page, `lobby-${name}`);
  });

  everywhere(
    'arranging',
    true,
    async (page, name) => {
      await page.goto(new URL(mona.page.url()).pathname);
      await expect(page.locator('.bar')).toBeVisible();
      await expectLook(page, `arranging-${name}`);
    },
    async () => {
      const { page } = mona;
      await sit(mona);
      await expect(page.locator('.status')).toContainText('4/4 人入座，3 人完成调度');
      const pieces = FORMATION.flatMap((line, i) => {
        const free = [1, 2, 3, 4, 5].filter((col) => !CAMPS.has(`${i + 1}${col}`));
        return line.map((piece, j) => ({ row: i + 1, col: free[j], piece }));
      });
      const file = JSON.stringify({ format: 'yibu-formation', version: 1, name: '定式', pieces });
      await importFile(page, 'fixed.yibu-formation.json', Buffer.from(file));
      await expect(page.locator('.toast')).toContainText('阵型已送到服务器');
    },
  );
});
