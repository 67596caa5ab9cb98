// Requests whose answers are late, cut or lost: they end, commands go again under the same key, and what makes something
// new keeps its key until an answer came.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MeFragment, TypedDocumentString } from '../src/api/generated.ts';
import { ask, command } from '../src/api/http.ts';
import { once } from '../src/api/once.ts';
import { viewer } from '../src/session.ts';

type Input = { idempotencyKey: string; nonce?: string; points?: number };
const make = 'mutation Make($input: MakeInput!) { made }' as unknown as TypedDocumentString<
  { made: number },
  { input: Input }
>;

/** What to do with each request, the first one first; what is left is answered. */
let fates: ('silent' | 'cut' | 'half' | 'lost' | 'busy')[] = [];
const sent: Input[] = [];
const limits: number[] = [];

beforeEach(() => {
  fates = [];
  sent.length = 0;
  limits.length = 0;
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    limits.push(ms);
    const limit = new AbortController();
    setTimeout(() => limit.abort(new DOMException('late', 'TimeoutError')), ms);
    return limit.signal;
  });
  vi.stubGlobal('fetch', (_: string, { body, signal }: RequestInit & { body: string }) => {
    sent.push(JSON.parse(body).variables.input);
    const fate = fates.shift();
    if (fate === 'silent') {
      return new Promise((_, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));
    }
    if (fate === 'lost') return Promise.reject(new TypeError('lost'));
    if (fate === 'half') return Promise.resolve(new Response('{"data":{"ma'));
    if (fate === 'busy') {
      return Promise.resolve(Response.json({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] }));
    }
    const answer = Response.json({ data: { made: sent.length } });
    if (fate === 'cut') answer.json = () => Promise.reject(new TypeError('cut'));
    return Promise.resolve(answer);
  });
});
afterEach(() => {
  viewer.value = undefined;
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const person = (id: string) => ({ player: { id, nickname: id } }) as unknown as MeFragment;
const keys = () => new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size;

it('a request without an answer ends', async () => {
  fates = ['silent'];
  const told = expect(ask(make, { input: { idempotencyKey: 'k' } })).rejects.toMatchObject({
    code: 'NETWORK',
  });
  await vi.advanceTimersByTimeAsync(15_000);
  await told;
});

it('a whole file may take longer', async () => {
  fates = ['silent'];
  const told = expect(ask(make, { input: { idempotencyKey: 'k' } }, 60_000)).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(60_000);
  await told;
  expect(limits).toEqual([60_000]);
});

it('a command without an answer, or with half of one, goes again under its key', async () => {
  fates = ['silent', 'cut', 'half'];
  const asking = command(make, { input: { idempotencyKey: 'k' } });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await asking).toEqual({ made: 4 });
  expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['k', 'k', 'k', 'k']);
});

const draw = () => ({ nonce: crypto.randomUUID() });

it('what makes something new is the same command until an answer came', async () => {
  fates = ['lost', 'lost', 'lost', 'lost'];
  const told = expect(once(make, {}, draw)).rejects.toMatchObject({ code: 'NETWORK' });
  await vi.advanceTimersByTimeAsync(20_000);
  await told;
  await once(make, {}, draw);
  expect(sent).toHaveLength(5);
  expect(new Set(sent.map((one) => JSON.stringify(one))).size).toBe(1);
  await once(make, {}, draw);
  expect(keys()).toBe(2);
  expect(sent[5]?.nonce).not.toBe(sent[4]?.nonce);
});

it('a refusal is an answer', async () => {
  fates = ['busy'];
  await expect(once(make, {})).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await once(make, {});
  expect(keys()).toBe(2);
});

it('another wish, or another person, is another command', async () => {
  fates = Array(4).fill('lost');
  viewer.value = person('p');
  const told = expect(once(make, { points: 3 })).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(20_000);
  await told;
  await once(make, { points: 4 });
  viewer.value = person('q');
  await once(make, { points: 3 });
  expect(keys()).toBe(3);
  viewer.value = person('p');
  await once(make, { points: 3 });
  expect(keys()).toBe(3);
});
