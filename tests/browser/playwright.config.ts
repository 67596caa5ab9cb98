// Browser tests against servers of their own in private folders, that serve the client which was built last. `CHROMIUM`
// names the browser; servers.ts reads the rest.
import { defineConfig } from '@playwright/test';
import { HOUSE, RUNNING, serversOf, WORKERS } from './servers.ts';

export default defineConfig({
  testDir: import.meta.dirname,
  workers: WORKERS,
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
  webServer: RUNNING ? undefined : Array.from({ length: WORKERS }, (_, worker) => serversOf(worker)).flat(),
});
