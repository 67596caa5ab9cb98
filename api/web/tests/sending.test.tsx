// What the bar says of a command that is under way: sent and waited for, or not arrived because the line is gone.
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { TableFragment } from '../src/api/generated.ts';
import { line } from '../src/api/live.ts';
import { speak } from '../src/i18n/index.ts';
import { TableModel } from '../src/pages/table/model.ts';
import { PlayBar } from '../src/pages/table/PlayBar.tsx';
import { change } from '../src/settings.ts';

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
});
afterEach(cleanup);

const view = {
  mySeat: 'S',
  myTurn: true,
  seats: [],
  board: [{ at: 's12', handle: 's12', seat: 'S', identity: 'COLONEL' }],
  rules: { points: { departure: -9, teamSurrender: -3 } },
} as unknown as TableFragment;

it('is not called sent without a connection', () => {
  const model = new TableModel('m');
  model.selected.value = 's12';
  model.chosen.value = 's22';
  model.pending.value = ['s12', 's22'];
  const show = () => {
    cleanup();
    render(<PlayBar model={model} view={view} />);
    return screen.getByRole('status').textContent;
  };
  line.value = 'open';
  expect(show()).toBe('Sent; waiting for the server…');
  line.value = 'lost';
  expect(show()).toBe('Connection lost: not sent yet, trying again…');
  model.pending.value = null;
  expect(show()).toBe('colonel: South 1-2 → South 2-2');
  line.value = 'idle';
});
