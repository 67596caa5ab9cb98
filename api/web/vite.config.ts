// How the client is built. The proxy serves development and the browser tests: pages from here, the API from a server.
import { defineConfig } from 'vite';

const server = process.env.YIBU_SERVER ?? 'http://127.0.0.1:8080';
const port = Number(process.env.PORT ?? 5173);
const proxy = {
  '/graphql': { target: server, ws: true },
  '/dev': { target: server },
};

/** The headers that the server sends with pages, so that previews and tests run under them. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types yibu',
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
};

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    modulePreload: {
      polyfill: false,
      // Only the table's parts are worth their names in the first file: other pages ask for theirs when they run.
      resolveDependencies: (page, parts) =>
        /TablePage/.test(page) ? parts : parts.filter((part) => part.endsWith('.css')),
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      output: {
        // Few larger files compress better than many small ones.
        codeSplitting: {
          groups: [
            {
              name: 'frame',
              test: /node_modules|src\/(api\/(?!generated\.\w+\.ts|streams|events|once)|ui\/(?!sound|Sheet|Question|download|isolate|load|tab)|notices\/Bell|app|pages\.tsx|session|router|settings|clock)/,
            },
            {
              name: 'board',
              test: /src\/(board|pages\/table\/(describe|ending|people|marks|placed|room|SeatCard|TextSwitch))|src\/formation\/rules/,
            },
            { name: 'playing', test: /src\/pages\/table\/(playing|LogPanel|PlayBar|logLine|looking)/ },
            { name: 'zh-Hans', test: /src\/i18n\/zh-Hans\.(ts|names|table)/ },
            { name: 'zh-Hant', test: /src\/i18n\/zh-Hant\.(ts|names|table)/ },
            { name: 'en', test: /src\/i18n\/en\.(ts|names|table)/ },
          ],
        },
      },
    },
  },
  // The schema of replay files stands beside this folder.
  server: { port, host: '127.0.0.1', proxy, fs: { allow: ['.', '../schemas'] } },
  preview: { port, host: '127.0.0.1', proxy, headers },
  test: { environment: 'happy-dom', include: ['tests/**/*.test.{ts,tsx}'] },
} as Parameters<typeof defineConfig>[0]);
