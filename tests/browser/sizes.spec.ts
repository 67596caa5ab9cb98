// Every page beside the table, on screens from the smallest phone to a desktop, a page zoomed to 200 % and larger text
// among them, in the shortest and in the longest language: none scrolls sideways, and no two controls lie on each other.
import { expect, type Page, test } from '@playwright/test';
import { expectApart, expectDownwards, expectNoSideways } from './layout.ts';
import { PASSWORD, person, register, sit } from './people.ts';
import { grant, RUNNING } from './servers.ts';
import { resize, WINDOWS } from './windows.ts';

const LANGUAGES = ['zh-Hans', 'en'] as const;
const STRANGERS = ['/', '/login', '/register', '/reset', '/replay', '/manual', '/settings', '/nowhere'];
const MEMBERS = ['/', '/lobby', '/notices', '/leaderboard', '/record', '/settings', '/admin'];

test.setTimeout(300_000);

/** Looks at what is open in every size. */
async function expectRoom(page: Page, what: string): Promise<void> {
  await expect(page.locator('.loading')).toHaveCount(0);
  for (const window of WINDOWS) {
    await resize(page, window);
    await expectNoSideways(page, `${what} at ${window.join('×')}`);
    await expectApart(page, `${what} at ${window.join('×')}`);
  }
}

/** Goes to a page with everything on it unfolded. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.loading')).toHaveCount(0);
  for (const fold of await page.locator('.fold > summary').all()) await fold.click();
}

async function speak(page: Page, language: string): Promise<void> {
  await page.goto('/settings');
  await page.locator('#language').selectOption(language);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

/** The id of whoever is logged in. */
const ownId = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const body = JSON.stringify({ query: '{ viewer { player { id } } }' });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/graphql', { method: 'POST', headers, body });
    return (await answer.json()).data.viewer.player.id;
  });

test('strangers’ pages have room on every screen', async ({ page }) => {
  for (const language of LANGUAGES) {
    await speak(page, language);
    for (const path of STRANGERS) {
      await open(page, path);
      await expectRoom(page, `${path} in ${language}`);
    }
  }
});

test('members’ pages have room on every screen', async ({ browser }) => {
  test.skip(RUNNING !== undefined, 'the command line needs the server’s own folder');
  const wilhelmina = await person(browser, 'desktop', 'Wilhelmin');
  const { page, email } = wilhelmina;
  await register(wilhelmina);
  grant(email);
  await test.step('the lobby is walked through as it is seen, with and without a table', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.locator('.matching-doors')).toBeVisible();
    await expectDownwards(page, 'an empty lobby');
    await sit(wilhelmina);
    await expect(page.locator('.status')).toContainText('4/4 人入座');
    await page.getByRole('button', { name: '完成调度' }).click();
    await expect(page.getByRole('button', { name: '完成调度' })).toHaveCount(0);
    await page.goto('/lobby');
    await expect(page.locator('.line-card')).toContainText(/队友.*陪练.*对手.*陪练.*陪练.*第 \d+ 回合/);
    await expectDownwards(page, 'a lobby with a table');
  });
  for (const language of LANGUAGES) {
    await speak(page, language);
    for (const path of [...MEMBERS, `/player/${await ownId(page)}`]) {
      await open(page, path);
      await expectRoom(page, `${path} in ${language}`);
    }
    await page.locator('.bell > button').click();
    await expect(page.locator('.bell-panel')).toBeVisible();
    await expectNoSideways(page, `the bell in ${language}`);
  }
  await page.goto('/settings');
  await page.getByText('Delete the account').first().click();
  const fold = page.locator('.fold[open]');
  await fold.getByLabel('Current password').fill(PASSWORD);
  await fold.getByRole('button').click();
  await expect(page.getByRole('dialog')).toContainText('You hold 1 seat:');
  await expectNoSideways(page, 'a question');
  await page.context().close();
});

test('the second step of registering and the mailbox have room on every screen', async ({ page }) => {
  const email = `somebody.with.a.long.address.${Date.now()}@mail.example.org`;
  for (const language of LANGUAGES) {
    await speak(page, language);
    await page.goto('/register');
    await page.locator('input[name=email]').fill(email);
    await page.locator('form button:not([type=submit])').click();
    await expect(page.locator('input[name=code]')).toBeVisible();
    await expectRoom(page, `registering in ${language}`);
    await page.locator('form .row button').last().click();
    await expect(page.locator('input[name=code]')).toHaveCount(0);
  }
  await page.locator('form button[type=submit]').click();
  await expect(page.locator('input[name=code]')).toBeVisible();
  await page.goto('/dev/mail');
  await expectRoom(page, 'the mailbox');
  await page.locator('ol a').first().click();
  await expectRoom(page, 'a letter');
});
