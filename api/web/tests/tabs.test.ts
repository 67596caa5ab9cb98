// Several tabs of one browser: what is set in one holds in all, and who logs in or out in one does so in all.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const hangUp = vi.fn();
vi.mock('../src/api/live.ts', () => ({
  hangUp,
  line: { value: 'idle' },
  onSessionEnded: { call: () => {} },
  watch: () => () => {},
}));

/** Whom the server takes the shared cookie for. */
let whom: string | null = null;
const person = (id: string) => ({
  email: '',
  locale: null,
  createdAt: null,
  isAdmin: false,
  player: { id, nickname: id },
});
const answer = () => ({ data: { viewer: whom && person(whom), announcement: null } });

const opened: BroadcastChannel[] = [];
const Channel = BroadcastChannel;

/** Another tab: every module anew, storage and server the same. */
async function tab() {
  vi.resetModules();
  const session = await import('../src/session.ts');
  const { settings, change } = await import('../src/settings.ts');
  session.follow();
  await session.refresh();
  return { ...session, settings, change };
}

beforeEach(() => {
  localStorage.clear();
  hangUp.mockClear();
  whom = null;
  vi.stubGlobal('fetch', async () => Response.json(answer()));
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(name);
        opened.push(this);
      }
    },
  );
});
// The tabs of a test are closed with it.
afterEach(() => {
  for (const channel of opened.splice(0)) channel.close();
});

describe('settings', () => {
  it('hold in every tab, whichever tab set which', async () => {
    const one = await tab();
    const other = await tab();
    one.change({ theme: 'dark' });
    other.change({ language: 'en', textBoard: true });
    const both = { theme: 'dark', language: 'en', textBoard: true };
    await vi.waitFor(() => expect(one.settings.value).toMatchObject(both));
    await vi.waitFor(() => expect(other.settings.value).toMatchObject(both));
    expect((await tab()).settings.value).toMatchObject({ language: 'en', textBoard: true });
  });
});

describe('who is logged in', () => {
  it('comes in everywhere', async () => {
    const one = await tab();
    const other = await tab();
    whom = 'p';
    one.enter(person('p'));
    await vi.waitFor(() => expect(other.viewer.value?.player.id).toBe('p'));
  });

  it('goes everywhere, and no tab calls that an ended login', async () => {
    whom = 'p';
    const one = await tab();
    const other = await tab();
    whom = null;
    one.leave();
    await vi.waitFor(() => expect(other.viewer.value).toBeNull());
    expect([one.ended.value, other.ended.value]).toEqual([false, false]);
    expect((await tab()).ended.value).toBe(false);
  });

  it('changes everywhere, and nothing stays open for the one before', async () => {
    whom = 'p';
    const one = await tab();
    const other = await tab();
    whom = 'q';
    one.enter(person('q'));
    hangUp.mockClear();
    await vi.waitFor(() => expect(other.viewer.value?.player.id).toBe('q'));
    expect(hangUp).toHaveBeenCalledTimes(1);
  });

  it('is told as an ended login in every tab when nobody logged out', async () => {
    whom = 'p';
    const one = await tab();
    const other = await tab();
    whom = null;
    await one.refresh();
    await other.refresh();
    expect([one.ended.value, other.ended.value]).toEqual([true, true]);
    expect((await tab()).ended.value).toBe(true);
    whom = 'p';
    one.enter(person('p'));
    await vi.waitFor(() => expect(other.viewer.value?.player.id).toBe('p'));
  });

  it('is not undone by an answer that was on its way', async () => {
    const one = await tab();
    let release = () => {};
    const held = new Promise<void>((resume) => {
      release = resume;
    });
    vi.stubGlobal('fetch', async () => {
      const late = answer();
      await held;
      return Response.json(late);
    });
    const asking = one.refresh();
    whom = 'p';
    one.enter(person('p'));
    release();
    await asking;
    expect(one.viewer.value?.player.id).toBe('p');
  });
});

describe('where somebody wanted to go', () => {
  it('is kept for the same person, and is no way for another', async () => {
    const one = await tab();
    one.wanted.value = '/table/m';
    one.enter(person('p'));
    expect(one.wanted.value).toBe('/table/m');
    one.leave();
    one.enter(person('p'));
    expect(one.wanted.value).toBe('/table/m');
    one.leave();
    one.enter(person('q'));
    expect(one.wanted.value).toBe('/lobby');
  });
});

describe('an announcement', () => {
  it('is put away in every tab, and another one is shown', async () => {
    const told = (since: string) => ({ text: 'x', since });
    vi.stubGlobal('fetch', async () =>
      Response.json({ data: { viewer: null, announcement: told('2026-03-01') } }),
    );
    const one = await tab();
    const other = await tab();
    const third = await tab();
    third.announcement.value = told('2026-03-02');
    one.putAway('2026-03-01');
    await vi.waitFor(() => expect(other.announcement.value).toBeNull());
    expect(one.announcement.value).toBeNull();
    expect(third.announcement.value).toEqual(told('2026-03-02'));
  });
});
