// The lobby's rows: by what a person knows one table from another, and what the first hint speaks of.
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LobbyRowFragment } from '../src/api/generated.ts';
import { speak, speakPages } from '../src/i18n/index.ts';
import { LobbyHint } from '../src/pages/lobby/LobbyHint.tsx';
import { LobbyPage } from '../src/pages/lobby/LobbyPage.tsx';
import { TableRow } from '../src/pages/lobby/TableRow.tsx';
import { change } from '../src/settings.ts';

const heard = vi.hoisted(() => ({ next: (_: unknown) => {} }));
vi.mock('../src/api/live.ts', () => ({
  watch: (_: object, __: object, next: (data: unknown) => void) => {
    heard.next = next;
    return () => {};
  },
  hangUp: () => {},
  onSessionEnded: { call: () => {} },
}));

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
  await speakPages();
});
beforeEach(() => localStorage.removeItem('yibu.hints'));
afterEach(cleanup);

const person = (nickname: string | null, house = false) => ({
  house,
  player: { id: `${nickname}`, nickname },
});
const ROW: LobbyRowFragment = {
  matchId: 'm1',
  phase: 'PLAYING',
  role: 'SEATED',
  seat: 'S',
  turn: 'E',
  turnKind: 'NORMAL',
  turnNumber: 23,
  deadline: null,
  openedAt: '2026-03-01T08:00:00.000Z',
  startedAt: '2026-03-02T08:00:00.000Z',
  endedAt: null,
  outcome: null,
  myTurn: false,
  arranging: false,
  drawWaiting: false,
  teamSurrenderWaiting: false,
  waitsForMe: false,
  seatsReady: 4,
  seatsTaken: 4,
  seats: [
    { seat: 'S', person: person('Me') },
    { seat: 'E', person: person('Ada') },
    { seat: 'N', person: person('Ben', true) },
    { seat: 'W', person: null },
  ],
};
const told = (row: Partial<LobbyRowFragment> = {}) => {
  render(<TableRow row={{ ...ROW, ...row }} />);
  return screen.getByRole('link').textContent ?? '';
};

describe('a row', () => {
  it('names mate and opponents by seat, the turn, and how far the match has come', () => {
    const text = told();
    expect(text).toMatch(/East to move/);
    expect(text).toMatch(/with\s*N.*Ben.*against\s*E.*Ada.*W.*vacant/);
    expect(text).toMatch(/started .*3\/2.* · turn 23/);
    expect(text).not.toContain('Me');
  });

  it('names nobody before the start, but when the table was opened', () => {
    const seats = ROW.seats.map(({ seat }) => ({ seat, person: null }));
    const text = told({
      phase: 'ASSEMBLING',
      startedAt: null,
      turn: null,
      turnNumber: 0,
      arranging: true,
      seats,
    });
    expect(text).not.toMatch(/with|against|turn/);
    expect(text).toMatch(/opened .*3\/1/);
  });

  it('says of who deleted the account just that', () => {
    const seats = ROW.seats.map((one) => (one.seat === 'E' ? { ...one, person: person(null) } : one));
    expect(told({ seats })).toContain('deleted account');
  });

  it('tells how an ended match ended for the own side, and counts its turns', () => {
    const outcome = {
      kind: 'WIN',
      winner: 'RED',
      winBy: 'BOTH_STUCK',
      drawBy: null,
      noResultBy: null,
    } as const;
    const ended = { phase: 'ENDED', endedAt: '2026-03-04T08:00:00.000Z', turn: null, turnNumber: 1 } as const;
    expect(told({ ...ended, outcome })).toMatch(/You won.*ended .* · 1 turn$/);
    cleanup();
    expect(told({ ...ended, outcome, seat: 'E' })).toMatch(/You lost/);
  });
});

describe('the first hint', () => {
  it('stands below the tables of whoever has some, and above an empty lobby', async () => {
    const order = async (tables: LobbyRowFragment[]) => {
      cleanup();
      const { container } = render(<LobbyPage />);
      const limits = { fullMatches: { held: 0, limit: 5 }, takeovers: { held: 0, limit: 5 } };
      heard.next({ lobby: { ...limits, vacancies: 0, openTables: 0, tables, endedTables: [] } });
      await expect.poll(() => container.querySelectorAll('.tables > .rows')).toHaveLength(tables.length);
      return [...container.querySelectorAll('.tables > *')].map((part) => part.className);
    };
    expect((await order([])).indexOf('card first')).toBe(1);
    expect(await order([{ ...ROW, myTurn: true, waitsForMe: true }])).toEqual(['rows loud', 'card first']);
  });

  it('speaks of vacant seats only where there is one', () => {
    const { unmount } = render(<LobbyHint vacancies={0} />);
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    unmount();
    render(<LobbyHint vacancies={1} />);
    expect(screen.getAllByRole('listitem')[2]?.textContent).toMatch(/Takeover/);
  });
});
