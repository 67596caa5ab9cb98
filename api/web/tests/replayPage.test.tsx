// What the viewer tells of a file: windows of long lists, who left, flags that became public, and the end only of a
// file that holds to its end. Another file begins anew.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { speak, speakPages } from '../src/i18n/index.ts';
import { EventList } from '../src/pages/replay/EventList.tsx';
import { around, placeOf, WINDOW, within } from '../src/pages/replay/lines.ts';
import { ReplayPage } from '../src/pages/replay/ReplayPage.tsx';
import { Settlement } from '../src/pages/replay/Settlement.tsx';
import { eventInWords } from '../src/pages/replay/tell.ts';
import { Viewer } from '../src/pages/replay/Viewer.tsx';
import { type Frame, play } from '../src/replay/frames.ts';
import { readReplay } from '../src/replay/read.ts';
import { change } from '../src/settings.ts';
import { Toasts } from '../src/ui/toasts.tsx';

beforeAll(async () => {
  change({ language: 'zh-Hans' });
  await speak();
  await speakPages();
});
afterEach(cleanup);

const path = join(import.meta.dirname, 'fixtures/takeover.yibu-replay.json');
const text = readFileSync(path, 'utf8');
const read = (value: unknown) => readReplay(new TextEncoder().encode(JSON.stringify(value)));
const file = read(JSON.parse(text));

describe('the window of a long list', () => {
  it('keeps the current line in its middle and never leaves the list', () => {
    expect(around(10, 90_000)).toBe(0);
    expect(around(45_000, 90_000)).toBe(45_000 - WINDOW / 2);
    expect(around(89_999, 90_000)).toBe(90_000 - WINDOW);
    expect(within(7, 20)).toBe(0);
    expect(placeOf([3, 5, 9], 1)).toBe(0);
    expect(placeOf([3, 5, 9], 5)).toBe(1);
    expect(placeOf([3, 5, 9], 8)).toBe(1);
    expect(placeOf([3, 5, 9], 99)).toBe(2);
    expect(placeOf([], 4)).toBe(0);
  });

  it('is all that is drawn of 90,000 moves; buttons lead further', async () => {
    const event = file.events.find(({ kind }) => kind === 'moved') ?? null;
    const frames: Frame[] = Array.from({ length: 90_001 }, (_, i) => ({
      event: i ? event : null,
      pieces: [],
      route: null,
    }));
    const old = { ...file, version: 1 as const };
    render(<EventList file={old} frames={frames} at={45_000} onGo={vi.fn()} />);
    const plies = () => [...document.querySelectorAll('.log .ply')].map((one) => Number(one.textContent));
    expect(plies()).toHaveLength(WINDOW);
    expect(document.querySelector('[aria-current] .ply')?.textContent).toBe('45000');
    screen.getByRole('button', { name: '更晚的行动' }).click();
    await vi.waitFor(() => expect(plies()[0]).toBeGreaterThan(45_000));
    screen.getByRole('button', { name: '更早的行动' }).click();
    await vi.waitFor(() => expect(plies()).toContain(45_000));
  });
});

describe('the words of a file', () => {
  it('say which flag a move made public', () => {
    const moved = file.events.find(({ kind }) => kind === 'moved');
    expect(moved && eventInWords({ ...moved, revealed: [['S', 's62']] }, file)).toMatch(/南旗亮出$/);
  });

  it('keep a name from turning the line that it stands in', () => {
    const left = file.events.find(({ kind }) => kind === 'left' || kind === 'timed_out');
    const named = file.participants.map((one) => ({ ...one, nickname: '\u202eevil\u2069' }));
    const line = left && eventInWords(left, { ...file, participants: named });
    expect(line).toMatch(/^\u2068\u202eevil\u2069 /);
  });

  it('list who left below the settlement, with what it cost', () => {
    render(<Settlement file={file} caption="结算" />);
    const rows = [...document.querySelectorAll('tr')].map((row) => row.textContent);
    const left = file.participants.filter(({ leftAt }) => leftAt);
    expect(left.length).toBeGreaterThan(0);
    expect(rows).toHaveLength(file.settlement.length + left.length);
    for (const [i, one] of left.entries()) {
      const row = rows[file.settlement.length + i];
      expect(row).toContain(one.nickname);
      expect(row).toContain('−9');
    }
  });
});

describe('the viewer', () => {
  const show = (value: unknown) => {
    const opened = read(value);
    render(<Viewer name="a.json" file={opened} played={play(opened)} problem={null} onAnother={vi.fn()} />);
  };

  it('tells the end of a file that holds', () => {
    show(JSON.parse(text));
    expect(document.querySelector('.ended table')).not.toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('tells a contradiction in words, and no end then', () => {
    const changed = JSON.parse(text) as { settlement: { points: number }[] };
    if (changed.settlement[0]) changed.settlement[0].points = 999;
    show(changed);
    expect(screen.getByRole('alert').textContent).toContain('结算与规则不符');
    expect(document.querySelector('.ended')).toBeNull();
    expect(document.body.textContent).not.toContain('999');
  });

  it('tells one that stands out of sight at once', async () => {
    const changed = JSON.parse(text) as { settlement: { points: number }[] };
    if (changed.settlement[0]) changed.settlement[0].points = 999;
    const top = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect');
    for (const [at, toasts] of [
      [100, 0],
      [2_000, 1],
    ] as const) {
      top.mockReturnValue({ top: at } as DOMRect);
      render(<Toasts />);
      show(changed);
      await vi.waitFor(() => expect(document.querySelectorAll('.toast')).toHaveLength(toasts));
      cleanup();
    }
    top.mockRestore();
  });

  it('does not call a seat by its own name where no nickname is told', () => {
    show({
      format: 'yibu-replay',
      version: 1,
      board: { s11: { seat: 's', piece: 'colonel' }, n11: { seat: 'n' } },
      moves: [{ from: 's11', to: 'c31' }],
    });
    const owner = document.querySelector('.owner');
    expect([...document.querySelectorAll('.owner')].map((one) => one.textContent)).toContain('南没有昵称');
    expect(owner?.getAttribute('title')).toMatch(/^盖住.的棋子$/);
    const options = [...(screen.getByLabelText('视角') as HTMLSelectElement).options].map((one) => one.text);
    expect(options).toContain('■ 南');
  });

  it('says that single seats were hidden by hand', async () => {
    show(JSON.parse(text));
    const view = screen.getByLabelText('视角') as HTMLSelectElement;
    const told = () => [...view.options].find(({ value }) => value === view.value)?.textContent;
    expect(told()).toBe('全明');
    (document.querySelector('.owner') as HTMLElement).click();
    await vi.waitFor(() => expect(told()).toBe('自选'));
  });
});

describe('the page of replays', () => {
  const short = {
    format: 'yibu-replay',
    version: 1,
    board: { s11: { seat: 's', piece: 'colonel' }, n11: { seat: 'n' } },
    moves: [{ from: 's11', to: 'c31' }],
  };
  const pick = (value: unknown) => {
    const files = [new File([JSON.stringify(value)], 'a.json')];
    fireEvent.change(document.querySelector('input[type=file]') as HTMLInputElement, { target: { files } });
  };
  const status = () => document.querySelector('.status strong')?.textContent;
  const place = () => (document.querySelector('input[type=range]') as HTMLInputElement | null)?.value;
  const pressed = (key: string, at: number) =>
    vi.waitFor(() => {
      fireEvent.keyDown(document.body, { key });
      expect(place()).toBe(String(at));
    });

  it('begins anew with another file of the same name, and its keys know the new end', async () => {
    render(<ReplayPage />);
    pick(short);
    await vi.waitFor(() => expect(place()).toBe('0'));
    await pressed('End', 1);
    pick(JSON.parse(text));
    await vi.waitFor(() => expect(status()).toBe('初始棋面'));
    expect(place()).toBe('0');
    await pressed('End', play(file).frames.length - 1);
    pick(short);
    await vi.waitFor(() => expect(place()).toBe('0'));
    expect(status()).toBe('初始棋面');
    await pressed('ArrowRight', 1);
  });
});
