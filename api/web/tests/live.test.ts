// Where no web socket can be opened, subscriptions go over to event streams; where the server is down, they do not.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TypedDocumentString } from '../src/api/generated.ts';

const opened: string[] = [];
let hangs = false;

/** A web socket that something on the way cuts off before it opens, or that hangs. */
class Cut extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = 0;
  onclose: ((event: object) => void) | null = null;
  onerror = null;
  onopen = null;
  onmessage = null;
  constructor() {
    super();
    if (hangs) return;
    setTimeout(() => {
      this.readyState = 3;
      this.onclose?.({ code: 1006, reason: '', wasClean: false });
    }, 1);
  }
  close() {}
  send() {}
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  opened.length = 0;
  hangs = false;
  vi.stubGlobal('WebSocket', Cut);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

vi.mock('../src/api/events.ts', () => ({
  readEvents: (address: string) => {
    opened.push(address);
    return () => {};
  },
}));

const document = 'subscription Lobby { lobby { now } }' as unknown as TypedDocumentString<
  object,
  Record<string, never>
>;

it('goes over to streams when requests pass', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('{"data":{"__typename":"Query"}}')),
  );
  const { watch } = await import('../src/api/live.ts');
  const stop = watch(document, {}, () => {});
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(opened).toHaveLength(1);
  });
  watch(document, {}, () => {});
  expect(opened).toHaveLength(2);
  stop();
});

it('gives sockets up that neither open nor fail', async () => {
  hangs = true;
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('{"data":{"__typename":"Query"}}')),
  );
  const { watch } = await import('../src/api/live.ts');
  watch(document, {}, () => {});
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(5_000);
    expect(opened).toHaveLength(1);
  });
});

it('waits for a server that is down', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => {
      throw new TypeError('refused');
    }),
  );
  const { line, watch } = await import('../src/api/live.ts');
  watch(document, {}, () => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(opened).toEqual([]);
  expect(line.value).toBe('lost');
});
