// Subscriptions as event streams: one stream a window, few over all windows, looks for the rest and while the page is
// hidden; what one window hears is told to all; opened again after a refusal; the end of the session told.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Hearing } from '../src/api/events.ts';

class Source {
  static all: Source[] = [];
  closed = false;
  constructor(
    readonly address: string,
    private readonly hearing: Hearing,
  ) {
    Source.all.push(this);
  }
  open() {
    if (!this.closed) this.hearing.opened();
  }
  send(kind: string, message: unknown) {
    if (!this.closed) this.hearing.heard(kind, JSON.stringify(message));
  }
  end() {
    if (this.closed) return;
    this.closed = true;
    this.hearing.ended();
  }
}
vi.mock('../src/api/events.ts', () => ({
  readEvents: (address: string, hearing: Hearing) => {
    const made = new Source(address, hearing);
    return () => {
      made.closed = true;
    };
  },
}));

/** What windows tell each other comes at once. */
class Channel extends EventTarget {
  static all: Channel[] = [];
  constructor() {
    super();
    Channel.all.push(this);
  }
  postMessage(data: unknown) {
    for (const one of Channel.all)
      if (one !== this) one.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) }));
  }
}

/** The locks of a browser: one holder a name, `ifAvailable` or in turn. */
class Locks {
  private readonly held = new Map<string, Promise<unknown>>();
  readonly names = () => [...this.held.keys()];
  async request(name: string, ...rest: unknown[]): Promise<unknown> {
    const work = rest.pop() as (lock: object | null) => unknown;
    if (rest[0] && this.held.has(name)) return work(null);
    const turn = (this.held.get(name) ?? Promise.resolve()).then(() => work({ name }));
    this.held.set(name, turn);
    await turn;
    if (this.held.get(name) === turn) this.held.delete(name);
  }
}

let hidden = false;
const stops: (() => void)[] = [];
let locks: Locks;
const look = (next: boolean) => {
  hidden = next;
  document.dispatchEvent(new Event('visibilitychange'));
};
const latest = () => Source.all.at(-1) as Source;
const openOnes = () => Source.all.filter((one) => !one.closed);
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.resetModules();
  Source.all = [];
  Channel.all = [];
  hidden = false;
  locks = new Locks();
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', { locks });
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Another window: the module anew, the browser's locks the same. */
async function inWindow() {
  vi.resetModules();
  const { open } = await import('../src/api/streams.ts');
  return async (name = 'A', variables: Record<string, unknown> = { id: 'x' }) => {
    const data: unknown[] = [];
    const told: boolean[] = [];
    let ended = 0;
    const stop = open(
      { query: `subscription ${name}($id: ID!) { a }`, variables, next: (one) => data.push(one) },
      (is) => told.push(is),
      () => {
        ended += 1;
      },
    );
    stops.push(stop);
    await settle();
    return { data, told, stop, ended: () => ended };
  };
}
const watched = async () => (await inWindow())();

it('asks with query and variables and hands answers on', async () => {
  const one = await watched();
  const address = new URL(latest().address, 'http://here');
  expect(address.pathname).toBe('/graphql/stream');
  expect(address.searchParams.get('query')).toBe('subscription A($id: ID!) { a }');
  expect(JSON.parse(address.searchParams.get('variables') ?? '')).toEqual({ id: 'x' });
  latest().open();
  latest().send('next', { data: { a: 1 } });
  latest().send('next', { errors: [{ extensions: { code: 'INTERNAL' } }] });
  latest().send('next', { data: { a: 2 } });
  expect(one.data).toEqual([{ a: 1 }, { a: 2 }]);
  expect(one.told).toEqual([true]);
  one.stop();
  expect(latest().closed).toBe(true);
  await settle();
  expect(locks.names()).toEqual([]);
});

it('has no stream while the page is hidden, and looks every 20 seconds', async () => {
  const one = await watched();
  look(true);
  expect(openOnes()).toEqual([]);
  await settle();
  expect(locks.names()).toEqual([]);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(openOnes()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(openOnes()).toHaveLength(1);
  expect(locks.names()).toEqual(['yibu.look']);
  latest().send('next', { data: 'my turn' });
  expect(one.data).toEqual(['my turn']);
  expect(openOnes()).toEqual([]);
  look(false);
  await settle();
  expect(openOnes()).toHaveLength(1);
  expect(locks.names()).toEqual(['yibu.stream.0']);
  one.stop();
  const before = Source.all.length;
  look(true);
  look(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Source.all).toHaveLength(before);
});

it('tells all windows what one heard, so that one looks for all', async () => {
  hidden = true;
  const windows = [];
  for (let n = 0; n < 4; n += 1) windows.push(await (await inWindow())('Bell', {}));
  const other = await (await inWindow())('Table');
  expect(openOnes()).toHaveLength(1);
  latest().send('next', { data: 3 });
  await settle();
  for (const one of windows) expect(one.data).toEqual([3]);
  // What watches something else looks by itself.
  expect(openOnes().map(({ address }) => /Bell|Table/.exec(address)?.[0])).toEqual(['Table']);
  latest().send('next', { data: 4 });
  expect(other.data).toEqual([4]);
  const before = Source.all.length;
  await vi.advanceTimersByTimeAsync(19_000);
  expect(Source.all).toHaveLength(before);
});

it('leaves a window with a stream what its own stream told', async () => {
  const open = await inWindow();
  const first = await open('Table', { id: 'x', after: 3 });
  latest().send('next', { data: 1 });
  const second = await (await inWindow())('Table', { id: 'x', after: 4 });
  latest().send('next', { data: 2 });
  expect([first.data, second.data]).toEqual([[1], [2]]);
});

it('comes again after a refusal or a loss, later each time', async () => {
  const one = await watched();
  latest().end();
  expect(Source.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(Source.all).toHaveLength(2);
  latest().end();
  await vi.advanceTimersByTimeAsync(2_900);
  expect(Source.all).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(3_100);
  expect(Source.all).toHaveLength(3);
  expect(one.told).toEqual([false, false]);
  latest().open();
  latest().end();
  expect(one.told).toEqual([false, false, true, false]);
  // The network is back.
  dispatchEvent(new Event('online'));
  await settle();
  expect(Source.all).toHaveLength(4);
  one.stop();
});

it('tells that the session has ended, and ends with the subscription', async () => {
  const one = await watched();
  latest().send('next', { errors: [{ extensions: { code: 'SESSION_ENDED' } }] });
  expect(one.ended()).toBe(1);
  latest().send('complete', {});
  expect(latest().closed).toBe(true);
  look(true);
  look(false);
  await settle();
  expect(Source.all).toHaveLength(1);
});

it('has one stream a window, for what began last; the rest looks every 20 seconds, one at a time', async () => {
  const open = await inWindow();
  const answer = (name: string) => {
    for (const one of openOnes()) if (one.address.includes(name)) one.send('next', { data: name });
  };
  const waiting = await open('Waiting');
  const bell = await open('Bell');
  const table = await open('Table');
  const names = () => openOnes().map(({ address }) => /Waiting|Bell|Table/.exec(address)?.[0]);
  // The looks come in turn.
  expect(names().sort()).toEqual(['Table', 'Waiting']);
  answer('Waiting');
  await settle();
  expect(names().sort()).toEqual(['Bell', 'Table']);
  answer('Bell');
  await settle();
  expect(names()).toEqual(['Table']);
  expect([waiting.data, bell.data]).toEqual([['Waiting'], ['Bell']]);
  // What stands beside the page tells nothing of the line, also when a look is given up.
  expect([waiting.told, bell.told]).toEqual([[], []]);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(names()).toEqual(['Table']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([waiting.told, bell.told]).toEqual([[], []]);
  answer('Bell');
  await settle();
  table.stop();
  await settle();
  expect(names()).toEqual(['Bell']);
  waiting.stop();
  bell.stop();
  expect(openOnes()).toEqual([]);
});

it('has three streams over all windows; the others look every 5 seconds until a place is free', async () => {
  const windows = [];
  for (let n = 0; n < 5; n += 1)
    windows.push(await (await inWindow())('Table', { id: `${n}`, after: 7, afterPrivate: 1 }));
  const shown = () =>
    openOnes().map(({ address }) =>
      JSON.parse(new URL(address, 'http://here').searchParams.get('variables') ?? ''),
    );
  const streams = [0, 1, 2].map((n) => ({ id: `${n}`, after: 7, afterPrivate: 1 }));
  // A look wants the state of now, whatever the page has.
  expect(shown()).toEqual([...streams, { id: '3' }]);
  latest().send('next', { data: 3 });
  await settle();
  expect(shown()).toEqual([...streams, { id: '4' }]);
  // A look without an answer is given up, and told as a lost connection.
  await vi.advanceTimersByTimeAsync(5_000);
  expect(windows[4]?.told).toEqual([false]);
  expect(shown()).toEqual([...streams, { id: '3' }]);
  latest().send('next', { data: 3 });
  windows[0]?.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(shown()).toHaveLength(4);
  expect(shown()).toContainEqual({ id: '4', after: 7, afterPrivate: 1 });
});

it('only looks where windows cannot agree', async () => {
  vi.stubGlobal('navigator', {});
  const one = await watched();
  expect(Source.all).toHaveLength(1);
  latest().send('next', { data: 1 });
  expect(latest().closed).toBe(true);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(Source.all).toHaveLength(2);
  expect(one.data).toEqual([1]);
});
