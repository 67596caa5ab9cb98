// What everybody is told reaches a page that is open: with the notices for whoever is logged in, by asking for visitors;
// and the list of notices says which of them are over.
import { cleanup, render } from '@testing-library/preact';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { MeFragment, NoticeLineFragment, WatchNoticesSubscription } from '../src/api/generated.ts';
import { speak, speakPages } from '../src/i18n/index.ts';
import { NoticeList } from '../src/notices/NoticeList.tsx';
import { announcement, follow, notices, viewer } from '../src/session.ts';
import { change } from '../src/settings.ts';

const heard = vi.hoisted(() => ({ byName: new Map<string, (data: unknown) => void>() }));
vi.mock('../src/api/live.ts', () => ({
  watch: (document: object, _: object, next: (data: unknown) => void) => {
    const name = /subscription (\w+)/.exec(String(document))?.[1] ?? '';
    heard.byName.set(name, next);
    return () => heard.byName.delete(name);
  },
  hangUp: () => {},
  onSessionEnded: { call: () => {} },
}));

const me = { player: { id: 'p1', nickname: 'Ana' } } as MeFragment;
const said = (text: string) => ({ text, since: '2026-01-05T08:00:00.000Z' });
let asked = 0;
let answer: ReturnType<typeof said> | null = null;

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
  await speakPages();
  vi.useFakeTimers();
  follow();
});
beforeEach(() => {
  asked = 0;
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => {
      asked += 1;
      return new Response(JSON.stringify({ data: { viewer: viewer.value, announcement: answer } }));
    }),
  );
});
afterEach(() => {
  cleanup();
  viewer.value = undefined;
});

it('an announcement comes with the notices, and goes with them', async () => {
  viewer.value = me;
  const next = heard.byName.get('WatchNotices');
  const update = (told: WatchNoticesSubscription['notices']['announcement']) =>
    next?.({ notices: { unread: 0, latest: [], announcement: told } });
  update(said('Maintenance tonight'));
  expect(announcement.value?.text).toBe('Maintenance tonight');
  update(null);
  expect(announcement.value).toBeNull();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toBe(0);
});

it('a visitor’s page asks within a minute, while somebody looks', async () => {
  viewer.value = null;
  answer = said('Maintenance tonight');
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(0);
  hidden.mockReturnValue(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
  expect(announcement.value?.text).toBe('Maintenance tonight');
});

it('a notice that is over says so, and no longer that it is unread', () => {
  const notice = (id: string, kind: NoticeLineFragment['kind'], done: boolean): NoticeLineFragment => ({
    id,
    kind,
    at: '2026-01-05T08:00:00.000Z',
    matchId: 'm1',
    seat: null,
    turn: null,
    deadline: null,
    read: done,
    done,
  });
  notices.value = {
    unread: 1,
    latest: [notice('n2', 'DRAW_VOTE', false), notice('n1', 'YOUR_TURN', true)],
    announcement: null,
  };
  const { container } = render(<NoticeList most={8} />);
  const lines = [...container.querySelectorAll('.notice-line')];
  expect(lines.map((line) => line.classList.contains('done'))).toEqual([false, true]);
  expect(lines.map((line) => line.querySelector('small')?.textContent)).toEqual([undefined, 'over']);
  expect(lines.map((line) => line.querySelector('.unseen')?.textContent)).toEqual(['unread', undefined]);
});
