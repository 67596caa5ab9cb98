// Notices by the browser: each once for a person, turn and deadline, also with several tabs; none that lay there before
// the page was opened; none for the table that is looked at.
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NoticeLineFragment } from '../src/api/generated.ts';
import { speak, speakPages } from '../src/i18n/index.ts';
import { claim } from '../src/notices/claims.ts';
import { inWords, nameOf, wayOf } from '../src/notices/tell.ts';
import { path } from '../src/router.ts';
import { viewer } from '../src/session.ts';
import { change } from '../src/settings.ts';

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
  await speakPages();
});
beforeEach(() => {
  localStorage.removeItem('yibu.shown');
  vi.resetModules();
});

const notice = (id: string, more: Partial<NoticeLineFragment> = {}): NoticeLineFragment => ({
  id,
  kind: 'TURN_4H',
  at: new Date().toISOString(),
  matchId: 'm1',
  seat: 'S',
  turn: 7,
  deadline: '2026-01-05T08:00:00.000Z',
  read: false,
  done: false,
  ...more,
});

describe('claims', () => {
  it('give each name to one tab alone', () => {
    expect(claim(['a', 'b', 'a'])).toEqual(['a', 'b']);
    expect(claim(['b', 'c'])).toEqual(['c']);
    expect(claim(['a', 'b', 'c'])).toEqual([]);
  });

  it('forget the oldest only', () => {
    claim(Array.from({ length: 300 }, (_, i) => `old${i}`));
    claim(['new']);
    expect(claim(['new', 'old299', 'old0'])).toEqual(['old0']);
  });
});

describe('a notice', () => {
  it('is named by person, kind, turn and deadline', () => {
    const one = nameOf('p', notice('n1'));
    expect(nameOf('p', notice('n2'))).toBe(one);
    for (const other of [
      nameOf('q', notice('n1')),
      nameOf('p', notice('n1', { kind: 'TURN_1H' })),
      nameOf('p', notice('n1', { turn: 8 })),
      nameOf('p', notice('n1', { deadline: '2026-01-05T09:00:00.000Z' })),
    ])
      expect(other).not.toBe(one);
  });

  it('is told in words and leads to its table', () => {
    expect(inWords(notice('n1'))).toMatch(/^4 hours left for your turn, until /);
    expect(inWords(notice('n1', { kind: 'LEFT', deadline: null }))).toBe('You have left the match');
    expect(wayOf(notice('n1'))).toBe('/table/m1');
    expect(wayOf(notice('n1', { matchId: null }))).toBeNull();
  });
});

describe('the browser', () => {
  const shown: string[] = [];
  beforeEach(() => {
    shown.length = 0;
    class Shown {
      onclick = null;
      constructor(_: string, { body }: { body: string }) {
        shown.push(body);
      }
      close() {}
    }
    vi.stubGlobal('Notification', Shown);
    viewer.value = { player: { id: 'p' } } as typeof viewer.value;
    path.value = '/lobby';
  });
  /** Another tab: the module anew, the storage the same. */
  const tab = async () => {
    const { show } = await import('../src/notices/browser.ts');
    const session = await import('../src/session.ts');
    session.viewer.value = viewer.value;
    const router = await import('../src/router.ts');
    router.path.value = path.value;
    const i18n = await import('../src/i18n/index.ts');
    await i18n.speak();
    return show;
  };

  it('shows what is new, unread and not shown by another tab', async () => {
    const first = await tab();
    const old = notice('n0', { turn: 1 });
    await first([old]);
    expect(shown).toEqual([]);
    await first([notice('n2', { turn: 3 }), notice('n1', { turn: 2, read: true }), old]);
    expect(shown).toHaveLength(1);
    vi.resetModules();
    const second = await tab();
    await second([notice('n2', { turn: 3 }), old]);
    expect(shown).toHaveLength(1);
    await second([notice('n3', { turn: 4 }), notice('n2', { turn: 3 })]);
    await first([notice('n3', { turn: 4 }), notice('n2', { turn: 3 })]);
    expect(shown).toHaveLength(2);
  });

  it('shows a renewed notice of the same turn and deadline once', async () => {
    const show = await tab();
    await show([]);
    await show([notice('n1')]);
    await show([notice('n2'), notice('n1')]);
    expect(shown).toHaveLength(1);
    await show([notice('n3', { deadline: '2026-01-05T09:00:00.000Z' }), notice('n2')]);
    expect(shown).toHaveLength(2);
  });

  it('is silent about the table that is looked at', async () => {
    path.value = '/table/m1';
    const show = await tab();
    await show([]);
    await show([notice('n1'), notice('n2', { matchId: 'm2' })]);
    expect(shown).toHaveLength(1);
  });

  it('begins anew with another person', async () => {
    const show = await tab();
    await show([]);
    const session = await import('../src/session.ts');
    session.viewer.value = { player: { id: 'q' } } as typeof viewer.value;
    await show([notice('n1')]);
    expect(shown).toEqual([]);
    await show([notice('n2', { turn: 8 }), notice('n1')]);
    expect(shown).toHaveLength(1);
  });
});
