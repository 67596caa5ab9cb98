// Browser tests against a server of their own in a private folder, with quick house players, that serves the client
// which was built last. `YIBU_BIN` names the server's binary, `YIBU_URL` a server that runs already, `CHROMIUM` the
// browser.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const listen = `127.0.0.1:${process.env.YIBU_PORT ?? 8471}`;
const binary = process.env.YIBU_BIN ?? join(import.meta.dirname, '../../target/debug/yibu');
const running = process.env.YIBU_URL;
// Workers read this file again: the folder is made once.
if (!running) process.env.YIBU_BROWSER_DATA ??= mkdtempSync(join(tmpdir(), 'yibu-browser-'));

export default defineConfig({
  testDir: import.meta.dirname,
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL: running ?? `http://${listen}`,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    },
  },
  webServer: running
    ? undefined
    : {
        command: `${binary} serve --dev --think 60 --data ${process.env.YIBU_BROWSER_DATA} --listen ${listen}`,
        url: `http://${listen}/health/ready`,
      },
});
