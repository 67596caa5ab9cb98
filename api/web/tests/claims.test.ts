// A notice is shown by one tab, also while what another one kept has not arrived yet.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claimAmongTabs } from '../src/notices/claims.ts';

type Hold = (lock: object | null) => unknown;

/** The locks of one browser, which all of its tabs share. */
const held = new Set<string>();
const locks = {
  async request(name: string, _: unknown, hold: Hold) {
    if (held.has(name)) return hold(null);
    held.add(name);
    await hold({});
    held.delete(name);
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { locks });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
  held.clear();
});

test('one tab shows it, whatever the other one’s storage knows', async () => {
  expect(await claimAmongTabs(['a', 'b', 'a'])).toEqual(['a', 'b']);
  // Another tab, to which nothing has come yet.
  localStorage.clear();
  expect(await claimAmongTabs(['b', 'c'])).toEqual(['c']);
});

test('what is kept holds when the lock is over', async () => {
  expect(await claimAmongTabs(['a'])).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(held.size).toBe(0);
  expect(await claimAmongTabs(['a'])).toEqual([]);
});

test('without locks the storage alone tells', async () => {
  vi.stubGlobal('navigator', {});
  expect(await claimAmongTabs(['a'])).toEqual(['a']);
  expect(await claimAmongTabs(['a'])).toEqual([]);
});
