// Subscriptions as event streams: snapshots in, closed while the page is hidden, opened again after a refusal, the end
// of the session told.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { open } from '../src/api/streams.ts';

class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  constructor(readonly address: string) {
    super();
    Source.all.push(this);
  }
  close() {
    this.readyState = 2;
  }
  send(type: string, message: unknown) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(message) }));
  }
}

let hidden = false;
const look = (next: boolean) => {
  hidden = next;
  document.dispatchEvent(new Event('visibilitychange'));
};
const latest = () => Source.all.at(-1) as Source;

beforeEach(() => {
  Source.all = [];
  hidden = false;
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function watched() {
  const data: unknown[] = [];
  const told: boolean[] = [];
  let ended = 0;
  const stop = open(
    { query: 'subscription A($id: ID!) { a }', variables: { id: 'x' }, next: (one) => data.push(one) },
    (is) => told.push(is),
    () => {
      ended += 1;
    },
  );
  return { data, told, stop, ended: () => ended };
}

it('asks with query and variables and hands answers on', () => {
  const one = watched();
  const address = new URL(latest().address, 'http://here');
  expect(address.pathname).toBe('/graphql/stream');
  expect(address.searchParams.get('query')).toBe('subscription A($id: ID!) { a }');
  expect(JSON.parse(address.searchParams.get('variables') ?? '')).toEqual({ id: 'x' });
  latest().onopen?.();
  latest().send('next', { data: { a: 1 } });
  latest().send('next', { errors: [{ extensions: { code: 'INTERNAL' } }] });
  latest().send('next', { data: { a: 2 } });
  expect(one.data).toEqual([{ a: 1 }, { a: 2 }]);
  expect(one.told).toEqual([true]);
  one.stop();
  expect(latest().readyState).toBe(2);
});

it('rests while the page is hidden', () => {
  const one = watched();
  look(true);
  expect(latest().readyState).toBe(2);
  look(false);
  expect(Source.all).toHaveLength(2);
  one.stop();
  look(true);
  look(false);
  expect(Source.all).toHaveLength(2);
});

it('comes again after a refusal, and leaves a broken stream to the browser', () => {
  const one = watched();
  latest().onerror?.();
  vi.advanceTimersByTime(60_000);
  expect(Source.all).toHaveLength(1);
  latest().readyState = 2;
  latest().onerror?.();
  expect(Source.all).toHaveLength(1);
  vi.advanceTimersByTime(60_000);
  expect(Source.all).toHaveLength(2);
  expect(one.told).toEqual([false, false]);
  one.stop();
});

it('tells that the session has ended, and ends with the subscription', () => {
  const one = watched();
  latest().send('next', { errors: [{ extensions: { code: 'SESSION_ENDED' } }] });
  expect(one.ended()).toBe(1);
  latest().dispatchEvent(new MessageEvent('complete', { data: '{}' }));
  expect(latest().readyState).toBe(2);
  look(true);
  look(false);
  expect(Source.all).toHaveLength(1);
});
