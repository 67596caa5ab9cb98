// The service worker keeps the client's page alone: no file that was looked at, no page of something on the way.
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';

const text = readFileSync('public/sw.js', 'utf8');
const OURS =
  '<!doctype html><script type="module" crossorigin src="/assets/index-a1.js"></script><div id="app"></div>';
const PORTAL =
  '<!doctype html><script src="/portal.js"></script><div id="app">Please log in to the Wi-Fi.</div>';
const html = (body: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });

let kept: Map<string, Response>;
let answer: () => Response;
let listeners: Record<string, (event: object) => void>;

/** Runs the worker. */
function start() {
  kept = new Map();
  listeners = {};
  const store = {
    put: async (at: string, what: Response) => kept.set(at, what),
    match: async (at: string) => kept.get(at),
    add: async () => {},
  };
  const self = {
    addEventListener: (kind: string, then: (event: object) => void) => {
      listeners[kind] = then;
    },
    skipWaiting: () => {},
  };
  new Function('self', 'caches', 'location', 'fetch', text)(
    self,
    { open: async () => store },
    { origin: 'http://here' },
    async () => answer(),
  );
}

/** Opens a path as a page; undefined where the worker leaves it to the browser. */
async function open(path: string): Promise<Response | undefined> {
  const waits: Promise<unknown>[] = [];
  let given: Promise<Response> | undefined;
  listeners.fetch?.({
    request: { url: `http://here${path}`, method: 'GET', mode: 'navigate' },
    respondWith: (what: Promise<Response>) => {
      given = what;
    },
    waitUntil: (what: Promise<unknown>) => waits.push(what),
  });
  const shown = await given;
  await Promise.all(waits);
  return shown;
}
const page = async () => kept.get('/replay')?.clone().text();

beforeEach(start);

it('keeps the page of any path, and opens it without a network', async () => {
  answer = () => html(OURS);
  expect(await (await open('/table/x'))?.text()).toBe(OURS);
  expect(await page()).toBe(OURS);
  answer = () => {
    throw new TypeError('no network');
  };
  expect(await (await open('/manual'))?.text()).toBe(OURS);
});

it.each([
  ['a page of something on the way', () => html(PORTAL)],
  ['another kind of file', () => new Response(OURS, { headers: { 'content-type': 'image/svg+xml' } })],
  ['a refusal', () => html(OURS, 503)],
])('shows %s, and keeps what is there', async (_, other) => {
  answer = () => html(OURS);
  await open('/');
  answer = other;
  expect((await open('/'))?.status).toBe(other().status);
  expect(await page()).toBe(OURS);
});

it.each(['/favicon.svg', '/robots.txt', '/graphql', '/dev/mail'])('leaves %s alone', async (path) => {
  answer = () => html(OURS);
  expect(await open(path)).toBeUndefined();
  expect(kept.size).toBe(0);
});

it('is not installed with a page of something on the way', async () => {
  const install = () =>
    new Promise((resolve, reject) => {
      listeners.install?.({ waitUntil: (what: Promise<unknown>) => what.then(resolve, reject) });
    });
  answer = () => html(PORTAL);
  await expect(install()).rejects.toThrow('not reached');
  answer = () => html(OURS);
  await install();
  expect(await page()).toBe(OURS);
});
