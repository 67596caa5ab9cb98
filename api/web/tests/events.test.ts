// Events read from an answer: as they were sent, however the network cuts them; the end and the silence are told.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readEvents } from '../src/api/events.ts';

let send: (text: string) => void;
let finish: () => void;
let asked: RequestInit;
const told: string[] = [];

/** Opens a stream that the server answers so. */
async function reading({ type = 'text/event-stream', status = 200 } = {}) {
  const body = new ReadableStream<Uint8Array>({
    start(control) {
      send = (text) => control.enqueue(new TextEncoder().encode(text));
      finish = () => control.close();
    },
  });
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    asked = init;
    return new Response(body, { status, headers: { 'content-type': type } });
  });
  const close = readEvents('/stream', {
    opened: () => told.push('opened'),
    heard: (kind, data) => told.push(`${kind} ${data}`),
    ended: () => told.push('ended'),
  });
  await vi.advanceTimersByTimeAsync(0);
  return close;
}
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  told.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('hands events on, also those that came in pieces', async () => {
  const close = await reading();
  expect(told).toEqual(['opened']);
  send('event: next\ndata: {"a":"一');
  await settle();
  send('"}\nid: 7\n\n:\n\nevent: complete\ndata: {}\n\nevent: next\nda');
  await settle();
  expect(told).toEqual(['opened', 'next {"a":"一"}', 'complete {}']);
  close();
  expect(asked.signal?.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveLength(3);
});

it('is kept by comments, and ends when none came for 25 seconds', async () => {
  await reading();
  for (let n = 0; n < 4; n += 1) {
    await vi.advanceTimersByTimeAsync(15_000);
    send(':\n\n');
    await settle();
  }
  await vi.advanceTimersByTimeAsync(24_900);
  expect(told).toEqual(['opened']);
  await vi.advanceTimersByTimeAsync(200);
  expect(told).toEqual(['opened', 'ended']);
  expect(asked.signal?.aborted).toBe(true);
});

it('ends with the answer, and when it never came', async () => {
  await reading();
  finish();
  await settle();
  expect(told).toEqual(['opened', 'ended']);
  told.length = 0;
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const ended = vi.fn();
  readEvents('/stream', { opened: () => {}, heard: () => {}, ended });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(ended).toHaveBeenCalledTimes(1);
});

it.each([{ status: 429 }, { type: 'text/html' }])('takes no other answer for a stream: %j', async (how) => {
  await reading(how);
  expect(told).toEqual(['ended']);
});
