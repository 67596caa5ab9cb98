// The one web socket: subscriptions that come back by themselves. It holds no state of matches.
import { signal } from '@preact/signals';
import { type Client, createClient } from 'graphql-ws';
import type { TypedDocumentString } from './generated.ts';

/** How the connection is: `lost` while it is being tried again. */
export const line = signal<'idle' | 'open' | 'lost'>('idle');

/** Called when the server says that the session is over. */
export const onSessionEnded: { call: () => void } = { call: () => {} };

const SESSION_ENDED = 4403;
const PING_MS = 20_000;
const PONG_MS = 6_000;
let client: Client | null = null;
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
      connected: () => {
        line.value = 'open';
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
        if (code === SESSION_ENDED) {
          hangUp();
          onSessionEnded.call();
        }
      },
    },
  });
  return made;
}

/** Watches a subscription until the returned function is called; `ended` when the server completes it. */
export function watch<R, V extends Record<string, unknown>>(
  document: TypedDocumentString<R, V>,
  variables: V,
  next: (data: R) => void,
  ended: () => void = () => {},
): () => void {
  client ??= connect();
  return client.subscribe<R>(
    { query: document.toString(), variables },
    {
      next: (message) => {
        if (message.data) next(message.data);
      },
      error: () => ended(),
      complete: () => ended(),
    },
  );
}

/** Closes the socket: the next subscription opens one as whoever is logged in then. */
export function hangUp(): void {
  const old = client;
  client = null;
  line.value = 'idle';
  void old?.dispose();
}
