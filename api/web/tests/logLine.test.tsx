// Public actions in words: who, with house players called that; where, in the one way; what became of it. And what
// screen readers hear of a new snapshot.
import { cleanup, render } from '@testing-library/preact';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { ActionFragment, TableFragment } from '../src/api/generated.ts';
import { speak } from '../src/i18n/index.ts';
import { aloud } from '../src/pages/table/aloud.ts';
import { arrived } from '../src/pages/table/arrived.ts';
import { logLine } from '../src/pages/table/logLine.ts';
import { change } from '../src/settings.ts';
import { Toasts } from '../src/ui/toasts.tsx';

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
});
afterEach(cleanup);

const person = (house: boolean) => ({
  house,
  joined: 'FULL' as const,
  nicknameThen: '陪练一号',
  player: { id: 'p', nickname: '陪练一号' },
});
const move = {
  seat: 'S',
  turn: 7,
  from: 's15',
  to: 'e62',
  outcome: 'ATTACKER',
  captured: 'E',
  revealed: [],
} as unknown as NonNullable<ActionFragment['move']>;

it('calls house players what they are', () => {
  expect(logLine({ kind: 'LEFT', person: person(true), points: -9 })).toBe(
    '陪练一号 · House player leaves −9 points',
  );
  expect(logLine({ kind: 'LEFT', person: person(false) })).toBe('陪练一号 leaves');
});

it('says which side surrendered as a team', () => {
  expect(logLine({ kind: 'TEAM_SURRENDER_CONFIRMED', seat: 'E', side: 'BLUE' })).toBe('Blue: team surrender');
});

it('names places in the one way', () => {
  expect(logLine({ kind: 'MOVED', move })).toBe('South 1-5 → East 6-2 captures East’s flag');
});

it('does not leave it said that it is the turn of somebody who has left', async () => {
  const { container } = render(<Toasts />);
  const spoken = () => container.querySelector('[aria-live]')?.textContent;
  const waiting = { phase: 'PLAYING', lastMove: null, myTurn: false, turn: null } as unknown as TableFragment;
  const turn = { ...waiting, myTurn: true } as TableFragment;
  arrived(waiting, turn);
  await expect.poll(spoken).toBe('It is your turn');
  arrived(turn, { ...waiting, role: 'DEPARTED' });
  await expect.poll(spoken).toBe('');
});

it('tells screen readers of the move, the flag and how it ended', () => {
  const { container } = render(<Toasts />);
  const before = { phase: 'PLAYING', lastMove: null, myTurn: false } as unknown as TableFragment;
  const outcome = { kind: 'WIN', winner: 'RED', winBy: 'BOARD', drawBy: null, noResultBy: null };
  const now = {
    ...before,
    phase: 'ENDED',
    lastMove: move,
    mySide: 'BLUE',
    outcome,
  } as unknown as TableFragment;
  arrived(before, now);
  return expect
    .poll(() => container.querySelector('[aria-live]')?.textContent)
    .toBe(
      'South: South 1-5 → East 6-2 captures East’s flag, The match is over, ' +
        'You lost – both seats of your side (Blue) are eliminated',
    );
});

it('reads the last move by a key, with who made it', async () => {
  const { container } = render(<Toasts />);
  const view = { lastMove: move, turn: null, board: [] } as unknown as TableFragment;
  const around = { selected: null, chosen: null, targets: new Map(), movable: new Set<string>() };
  aloud('last', view, around);
  await expect
    .poll(() => container.querySelector('[aria-live]')?.textContent)
    .toBe('South: South 1-5 → East 6-2 captures East’s flag');
});
