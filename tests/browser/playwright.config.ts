// Browser tests against two servers of their own in private folders, one with quick house players and one without, that
// serve the client which was built last. `YIBU_BIN` names the server's binary, `YIBU_URL` a server that runs already,
// `CHROMIUM` the browser.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { HOUSE, PEOPLE, RUNNING } from './servers.ts';

const binary = process.env.YIBU_BIN ?? join(import.meta.dirname, '../../target/debug/yibu');
// Workers read this file again: the folder is made once.
if (!RUNNING) process.env.YIBU_BROWSER_DATA ??= mkdtempSync(join(tmpdir(), 'yibu-browser-'));
const data = process.env.YIBU_BROWSER_DATA;

const server = (url: string, folder: string, company: string) => ({
  command: `${binary} serve --dev ${company} --data ${folder} --listen ${new URL(url).host}`,
  url: `${url}/health/ready`,
});

export default defineConfig({
  testDir: import.meta.dirname,
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL: HOUSE,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
  webServer: RUNNING
    ? undefined
    : [server(HOUSE, `${data}`, '--think 60'), server(PEOPLE, `${data}-people`, '--no-house')],
});
