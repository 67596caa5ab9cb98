// A part that does not load: the page is loaded anew, once, where nothing is lost by it; else the person is told. A style
// sheet that does not is asked for again.
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { speak } from '../src/i18n/index.ts';
import { change } from '../src/settings.ts';

const say = vi.hoisted(() => vi.fn());
vi.mock('../src/ui/toasts.tsx', () => ({
  say,
  sayRefused: async ({ code }: { code: string }) => {
    // The sentences do not load either.
    dispatchEvent(new Event('vite:preloadError'));
    say(code);
  },
}));
const reload = vi.fn();
let online = true;
const lose = () => dispatchEvent(new Event('vite:preloadError'));

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
  vi.spyOn(location, 'reload').mockImplementation(reload);
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  await import('../src/missing.ts');
});
beforeEach(() => {
  vi.useFakeTimers({ now: 10_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
  document.body.innerHTML = '';
  reload.mockClear();
  say.mockClear();
  online = true;
});

it('loads the page anew, once a minute at most', async () => {
  document.body.innerHTML = '<input><input type="file"><textarea></textarea>';
  lose();
  expect(reload).toHaveBeenCalledTimes(1);
  expect(say).not.toHaveBeenCalled();
  lose();
  expect(reload).toHaveBeenCalledTimes(1);
  await vi.waitFor(() => expect(say.mock.calls).toEqual([['PART_MISSING']]));
  vi.advanceTimersByTime(61_000);
  lose();
  expect(reload).toHaveBeenCalledTimes(2);
});

it.each(['<input>', '<textarea></textarea>', '<input type="range">'])(
  'leaves a page alone that holds something: %s',
  async (field) => {
    document.body.innerHTML = field;
    (document.body.firstElementChild as HTMLInputElement).value = '1';
    lose();
    expect(reload).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(say.mock.calls).toEqual([['PART_MISSING']]));
  },
);

it('says that the network is gone, after which a reload is still free', () => {
  online = false;
  lose();
  expect(say.mock.calls[0]?.[0]).toMatch(/cannot be reached/);
  online = true;
  lose();
  expect(reload).toHaveBeenCalledTimes(1);
});

it('asks for a style sheet again, later each time, or when the network is back', async () => {
  document.body.innerHTML = '<link rel="stylesheet" data-tries="0">';
  const link = () => document.body.firstElementChild as HTMLLinkElement;
  const first = link();
  first.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(1_900);
  expect(link()).toBe(first);
  await vi.advanceTimersByTimeAsync(100);
  const second = link();
  expect(second).not.toBe(first);
  second.dispatchEvent(new Event('error'));
  await vi.advanceTimersByTimeAsync(3_900);
  expect(link()).toBe(second);
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(link()).not.toBe(second);
  expect(link().rel).toBe('stylesheet');
});
