// The public actions when requests are lost: they are read again by themselves, the list says so meanwhile, and no board
// is told from some of them.
import { signal } from '@preact/signals';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActionFragment, TableFragment } from '../src/api/generated.ts';
import { line } from '../src/api/live.ts';
import { speak } from '../src/i18n/index.ts';
import { LogPanel } from '../src/pages/table/LogPanel.tsx';
import { ActionLog } from '../src/pages/table/log.ts';
import type { Past } from '../src/pages/table/lookback.ts';
import { look } from '../src/pages/table/looking.ts';
import { TableModel } from '../src/pages/table/model.ts';
import { change } from '../src/settings.ts';
import { Toasts } from '../src/ui/toasts.tsx';

const NEWEST = 150;
const act = (version: number) => {
  const kind = version === 1 ? 'OPENED' : version === 2 ? 'STARTED' : 'SKIPPED';
  return { version, kind, seat: 'S', move: null, at: '2026-01-05T08:00:00.000Z' } as ActionFragment;
};
let newest = NEWEST;
/** What of the requests gets through. */
let lost: (page: { last?: number; first?: number; before?: string }) => boolean = () => false;
let asked = 0;

/** Answers as the server does. */
async function serve(_: string, init: RequestInit): Promise<Response> {
  const { variables } = JSON.parse(String(init.body));
  asked += 1;
  if (lost(variables)) throw new TypeError('lost');
  const { after, before, first = NEWEST, last = NEWEST } = variables;
  const all = Array.from({ length: newest }, (_, i) => act(i + 1));
  const nodes = all
    .filter(({ version }) => version > Number(after ?? 0) && version < Number(before ?? NEWEST * 9))
    .slice(0, first)
    .slice(-last);
  const ends = [nodes.at(0), nodes.at(-1)].map((node) => (node ? `${node.version}` : null));
  const pageInfo = {
    hasPreviousPage: (nodes[0]?.version ?? 1) > 1,
    startCursor: ends[0],
    endCursor: ends[1],
  };
  const actions = { edges: nodes.map((node) => ({ node })), pageInfo };
  return new Response(JSON.stringify({ data: { match: { actions } } }));
}

const view = (version: number) =>
  ({
    ...{ version, privateVersion: 1, now: '2026-01-05T08:00:00.000Z', phase: 'PLAYING', mySeat: 'S' },
    ...{ myTurn: false, lastMove: null, turn: null, legalMoves: [], board: [], seats: [], myPieces: [] },
  }) as unknown as TableFragment;
const versions = (log: ActionLog) => log.actions.value.map(({ version }) => version);
const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

let log: ActionLog;
beforeAll(async () => {
  change({ language: 'zh-Hans' });
  await speak();
});
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', vi.fn(serve));
  [newest, asked, lost] = [NEWEST, 0, () => false];
  line.value = 'open';
  log = new ActionLog('m');
});
afterEach(() => {
  cleanup();
  log.close();
  vi.useRealTimers();
  line.value = 'idle';
});

describe('actions that could not be read', () => {
  it('are read again after a while, seldomer each time, until they are there', async () => {
    lost = () => true;
    await log.follow(newest);
    expect(log.state.value).toBe('unread');
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toBe(3);
    await vi.advanceTimersByTimeAsync(3_900);
    expect(asked).toBe(3);
    lost = () => false;
    await vi.advanceTimersByTimeAsync(100);
    expect(log.state.value).toBe('read');
    expect(versions(log)).toEqual(upTo(NEWEST - 59, NEWEST));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked).toBe(4);
  });

  it('are read at once when the network or the connection is back', async () => {
    await log.follow(newest);
    for (const back of [() => dispatchEvent(new Event('online')), () => (line.value = 'open')]) {
      lost = () => true;
      newest += 1;
      line.value = 'lost';
      await log.follow(newest);
      expect(log.state.value).toBe('unread');
      lost = () => false;
      back();
      await vi.advanceTimersByTimeAsync(0);
      expect(versions(log).at(-1)).toBe(newest);
      expect(log.state.value).toBe('read');
    }
  });

  it('are read with any snapshot, and never of a table that was left', async () => {
    const model = new TableModel('m');
    lost = () => true;
    model.take(view(newest));
    await vi.advanceTimersByTimeAsync(0);
    lost = () => false;
    model.take(view(newest));
    await vi.advanceTimersByTimeAsync(0);
    expect(model.log.state.value).toBe('read');
    lost = () => true;
    model.take(view(newest + 1));
    await vi.advanceTimersByTimeAsync(0);
    const before = asked;
    model.close();
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(asked).toBe(before);
  });

  it('are told of as such, with a way to try again', async () => {
    const model = new TableModel('m');
    lost = () => true;
    const show = () => {
      cleanup();
      return render(<LogPanel model={model} past={signal(null)} />).container.textContent;
    };
    expect(show()).toContain('正在读取…');
    model.take(view(newest));
    await vi.advanceTimersByTimeAsync(0);
    expect(show()).toContain('连不上服务器');
    expect(show()).not.toContain('还没有行动');
    lost = () => false;
    fireEvent.click(screen.getByRole('button', { name: '再试一次' }));
    await vi.advanceTimersByTimeAsync(0);
    expect(show()).not.toContain('连不上服务器');
    expect(screen.getAllByRole('listitem')).toHaveLength(61);
    model.close();
  });
});

describe('looking back', () => {
  it('keeps the board of now when a page is lost, says so, and goes on from there', async () => {
    vi.useRealTimers();
    const { container } = render(<Toasts />);
    const model = new TableModel('m');
    const past = signal<Past | null>(null);
    model.take(view(newest));
    await expect.poll(() => model.log.state.value).toBe('read');
    lost = ({ before }) => before !== undefined;
    await look(model, past, NEWEST - 10);
    expect(past.value).toBeNull();
    await expect.poll(() => container.querySelectorAll('.toast.bad')).toHaveLength(1);
    expect(container.textContent).toContain('连不上服务器，请检查网络后再试');
    lost = () => false;
    await look(model, past, NEWEST - 10);
    expect(past.value?.pieces).toHaveLength(100);
    model.close();
  });

  it('takes no older action for now while the newest are not there', async () => {
    vi.useRealTimers();
    const model = new TableModel('m');
    const past = signal<Past | null>(null);
    model.take(view(newest));
    await expect.poll(() => model.log.state.value).toBe('read');
    lost = () => true;
    newest += 1;
    model.take(view(newest));
    await expect.poll(() => model.log.state.value).toBe('unread');
    lost = () => false;
    await look(model, past, NEWEST);
    expect(past.value?.version).toBe(NEWEST);
    model.close();
  });
});

describe('the list', () => {
  /** The list with sizes as a browser would have them. */
  async function show() {
    const resized: (() => void)[] = [];
    vi.stubGlobal(
      'ResizeObserver',
      class {
        constructor(heard: () => void) {
          resized.push(heard);
        }
        observe() {}
        disconnect() {}
      },
    );
    const model = new TableModel('m');
    model.take(view(newest));
    await vi.advanceTimersByTimeAsync(0);
    const sizes = { client: 600, scroll: 1_000 };
    for (const [name, get] of [
      ['clientHeight', () => sizes.client],
      ['scrollHeight', () => sizes.scroll],
    ] as const)
      vi.spyOn(HTMLElement.prototype, name, 'get').mockImplementation(get);
    const { container } = render(<LogPanel model={model} past={signal(null)} />);
    const list = container.querySelector('ol') as HTMLElement;
    const end = () => Math.max(0, sizes.scroll - sizes.client);
    let top = end();
    Object.defineProperty(list, 'scrollTop', { get: () => top, set: (to) => (top = Math.min(to, end())) });
    const act = (change: Partial<typeof sizes>) => {
      Object.assign(sizes, change);
      for (const heard of resized) heard();
    };
    const scroll = (to: number) => {
      list.scrollTop = to;
      fireEvent.scroll(list);
    };
    const more = async () => {
      newest += 1;
      sizes.scroll += 32;
      model.take(view(newest));
      await vi.advanceTimersByTimeAsync(100);
    };
    return { list, act, scroll, more, end, model };
  }
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it('keeps its end in sight when it shrinks, and with new actions', async () => {
    const { list, act, more, end, model } = await show();
    act({ client: 326 });
    expect(list.scrollTop).toBe(end());
    // The browser tells of the scrolling later, when the list has shrunk again.
    Object.defineProperty(list, 'clientHeight', { get: () => 250 });
    fireEvent.scroll(list);
    act({ client: 250 });
    expect(list.scrollTop).toBe(end());
    await more();
    expect(list.scrollTop).toBe(end());
    model.close();
  });

  it('stays where somebody scrolled up to, until they are back at the end', async () => {
    const { list, act, scroll, more, end, model } = await show();
    act({});
    scroll(100);
    act({ client: 326 });
    await more();
    expect(list.scrollTop).toBe(100);
    scroll(end() - 10);
    await more();
    expect(list.scrollTop).toBe(end());
    model.close();
  });
});
