// Subscriptions that come back by themselves, over one web socket; where none can be opened, as event streams. It holds
// no state of matches.
import { signal } from '@preact/signals';
import { type Client, createClient } from 'graphql-ws';
import type { TypedDocumentString } from './generated.ts';

/** How the connection is: `lost` while it is being tried again. */
export const line = signal<'idle' | 'open' | 'lost'>('idle');

/** Called when the server says that the session is over. */
export const onSessionEnded: { call: () => void } = { call: () => {} };

/** A subscription that is wished for, whatever carries it. */
export interface Watch {
  query: string;
  variables: Record<string, unknown>;
  next: (data: unknown) => void;
  stop: () => void;
}

const SESSION_ENDED = 4403;
/** Closed without a word, or given up: how it looks where something on the way breaks web sockets. */
const BROKEN = [1006, 4499];
const PING_MS = 20_000;
const PONG_MS = 6_000;
const GREETING_MS = 8_000;
/** So many sockets that never opened, and streams are tried. */
const MOST_BROKEN = 2;
const watches = new Set<Watch>();
let client: Client | null = null;
let streams: typeof import('./streams.ts') | null = null;
let broken = 0;
let silent = 0;

// A network that is gone closes no socket: the browser or a ping without answer tells.
addEventListener('offline', () => client?.terminate());

/** Waits before another attempt, or until the network is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resume) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resume();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go);
  });
}

function connect(): Client {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const made = createClient({
    url: `${scheme}://${location.host}/graphql/ws`,
    lazyCloseTimeout: 2_000,
    keepAlive: PING_MS,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: (event) => (event as CloseEvent).code !== SESSION_ENDED,
    retryWait: async (tries) => {
      const most = Math.min(15_000, 500 * 2 ** tries);
      await pause(most / 2 + Math.random() * (most / 2));
    },
    on: {
      // Some networks let a socket neither open nor fail.
      connecting: () => {
        silent = window.setTimeout(() => made.terminate(), GREETING_MS);
      },
      connected: () => {
        clearTimeout(silent);
        line.value = 'open';
        broken = Number.NEGATIVE_INFINITY;
      },
      ping: (received) => {
        if (!received) silent = window.setTimeout(() => made.terminate(), PONG_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(silent);
      },
      closed: (event) => {
        clearTimeout(silent);
        const { code, wasClean } = event as CloseEvent;
        if (made !== client) return;
        line.value = wasClean && code === 1000 ? 'idle' : 'lost';
        if (code === SESSION_ENDED) over();
        else if (BROKEN.includes(code)) {
          broken += 1;
          if (broken >= MOST_BROKEN) stream().catch(() => {});
        }
      },
    },
  });
  return made;
}

/** Goes over to event streams, if requests pass: a server that is down is waited for as before. */
async function stream(): Promise<void> {
  broken = 0;
  const found = await import('./streams.ts');
  if (!(await found.passes())) return;
  streams = found;
  drop();
  for (const one of watches) {
    one.stop();
    start(one);
  }
}

/** Lets the socket go; one that could not be opened complains about it. */
function drop(): void {
  const old = client;
  client = null;
  old?.dispose()?.catch?.(() => {});
}

function start(one: Watch): void {
  if (streams) {
    one.stop = streams.open(
      one,
      (open) => {
        line.value = open ? 'open' : 'lost';
      },
      over,
    );
    return;
  }
  client ??= connect();
  one.stop = client.subscribe(one, {
    next: ({ data }) => {
      if (data) one.next(data);
    },
    error: () => {},
    complete: () => {},
  });
}

/** Watches a subscription until the returned function is called. */
export function watch<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: V,
  next: (data: R) => void,
): () => void {
  const one = { query: document.toString(), variables, next, stop: () => {} } as Watch;
  watches.add(one);
  start(one);
  return () => {
    watches.delete(one);
    one.stop();
  };
}

function over(): void {
  hangUp();
  onSessionEnded.call();
}

/** Ends whatever is open: the next subscription starts as whoever is logged in then. */
export function hangUp(): void {
  drop();
  line.value = 'idle';
  for (const one of watches) one.stop();
  watches.clear();
}
