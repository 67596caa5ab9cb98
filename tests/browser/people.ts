// People of the browser tests: how they register, sit down, and what their browsers were sent.
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';

/** The two devices that everything is tried on. */
export const DEVICES: Record<'desktop' | 'phone', BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

/** A person with a browser. */
export interface Person {
  page: Page;
  name: string;
  email: string;
  /** Everything that the server sent about matches, as text. */
  received: string[];
}

export const PASSWORD = 'correct horse battery';
let count = 0;

/** Keeps everything that a page is sent about matches, and what it complains about. */
export function hear(page: Page, received: string[]): void {
  page.on('response', async (response) => {
    const json = response.headers()['content-type']?.includes('json') ?? false;
    if (json) received.push(await response.text().catch(() => ''));
  });
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => received.push(String(payload)));
  });
  page.on('console', (message) => {
    // A browser logs refused policies here; a network that a test cut off is no error of the page.
    if (message.type() === 'error' && !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(message.text())) {
      received.push(`page error: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => received.push(`page error: ${error.message}`));
}

/** A new person in a new browser; the name may have nine letters, for a mark of up to seven follows. */
export async function person(
  browser: Browser,
  device: keyof typeof DEVICES,
  name: string,
  options: BrowserContextOptions = {},
): Promise<Person> {
  const context = await browser.newContext({ ...DEVICES[device], ...options });
  const page = await context.newPage();
  const received: string[] = [];
  hear(page, received);
  count += 1;
  const mark = `${Date.now() % 100_000}${count}`;
  return { page, name: `${name}${mark}`, email: `${name.toLowerCase()}${mark}@example.org`, received };
}

/** Registers through the pages with the code that was mailed. */
export async function register({ page, name, email }: Person): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('邮箱').fill(email);
  await page.getByRole('button', { name: '寄验证码' }).click();
  await page.getByLabel('邮件里的 6 位验证码').fill(await codeFor(page, email));
  await page.getByLabel('昵称').fill(name);
  await page.getByLabel('密码').fill(PASSWORD);
  await page.getByRole('button', { name: '创建账号' }).click();
  await expect(page.getByRole('heading', { name: '大厅' })).toBeVisible();
}

/** The code that was mailed to an address last. */
export async function codeFor(page: Page, email: string): Promise<string> {
  let code = '';
  await expect
    .poll(async () => {
      const box = await (await page.request.get('/dev/mail')).text();
      code = new RegExp(`(\\d{6})</a> · ${email}`).exec(box)?.[1] ?? '';
      return code;
    })
    .toMatch(/^\d{6}$/);
  return code;
}

/** Logs in through the page. */
export async function login({ page, email }: Person, password = PASSWORD): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('邮箱').fill(email);
  await page.getByLabel('密码').fill(password);
  await page.getByRole('button', { name: '登录' }).click();
}

/** Matches a new game and waits for the table. */
export async function sit({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: '匹配新局' }).click();
  await expect(page.locator('.board')).toBeVisible();
}
