// Looking back: the bar tells which action the board shows and leads on, back and to now; the status says that it is past.
import { signal } from '@preact/signals';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/preact';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ActionFragment, TableFragment } from '../src/api/generated.ts';
import { aside } from '../src/i18n/aside.ts';
import { speak } from '../src/i18n/index.ts';
import { LogPanel } from '../src/pages/table/LogPanel.tsx';
import { LookBar } from '../src/pages/table/LookBar.tsx';
import type { Past } from '../src/pages/table/lookback.ts';
import { look } from '../src/pages/table/looking.ts';
import { TableModel } from '../src/pages/table/model.ts';
import { Status } from '../src/pages/table/Status.tsx';
import { VoteWaits } from '../src/pages/table/Votes.tsx';
import { change } from '../src/settings.ts';

beforeAll(async () => {
  change({ language: 'zh-Hans' });
  await speak();
});
afterEach(cleanup);

const view = {
  phase: 'PLAYING',
  mySeat: 'S',
  myTurn: true,
  turn: { number: 3, seat: 'S', kind: 'NORMAL', deadline: new Date(Date.now() + 3_600_000).toISOString() },
  seats: [],
  myPieces: [],
  outcome: null,
  drawOffer: null,
  teamSurrender: null,
} as unknown as TableFragment;
const step = (from: string, to: string) => ({
  ...{ from, to, handle: from, route: [from, to], outcome: 'NONE', met: null, captured: null, revealed: [] },
});
const actions = [
  { version: 1, kind: 'OPENED', seat: null, move: null },
  { version: 2, kind: 'STARTED', seat: 'S', move: null },
  { version: 3, kind: 'MOVED', seat: 'S', move: step('s12', 's22') },
  { version: 4, kind: 'TURN_STARTED', seat: 'E', move: null },
  { version: 5, kind: 'MOVED', seat: 'E', move: step('e12', 'e22') },
].map((action) => ({ ...action, at: '2026-01-05T08:00:00.000Z' })) as unknown as ActionFragment[];

const past = signal<Past | null>(null);
let model: TableModel;
beforeEach(async () => {
  const pageInfo = { hasPreviousPage: false, startCursor: '1', endCursor: '5' };
  const match = { actions: { edges: actions.map((node) => ({ node })), pageInfo } };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ data: { match } })));
  past.value = null;
  model = new TableModel('m');
  model.view.value = view;
  await model.log.follow(5);
});
afterEach(() => model.close());

it('brings the board into sight and tells what it shows', async () => {
  const play = document.createElement('div');
  play.className = 'play';
  play.scrollIntoView = vi.fn();
  document.body.append(play);
  await look(model, past, 3);
  expect(past.value?.version).toBe(3);
  expect(play.scrollIntoView).toHaveBeenCalledOnce();
  play.remove();
  render(<LookBar model={model} view={{ ...view, myTurn: false }} past={past} />);
  expect(screen.getByRole('status').textContent).toBe('南：南1排2列 → 南2排2列');
  fireEvent.click(screen.getByRole('button', { name: '上一步' }));
  await expect.poll(() => past.value?.version).toBe(2);
  expect(screen.getByRole('status').textContent).toBe('南：开局，南方先走');
  expect(screen.getByRole('button', { name: '上一步' }).hasAttribute('disabled')).toBe(true);
  fireEvent.click(screen.getByRole('button', { name: '下一步' }));
  await expect.poll(() => past.value?.version).toBe(3);
  fireEvent.click(screen.getByRole('button', { name: '下一步' }));
  await expect.poll(() => past.value).toBeNull();
  await look(model, past, 2);
  fireEvent.click(screen.getByRole('button', { name: '回到现在' }));
  expect(past.value).toBeNull();
});

it('says when the own turn or a vote waits in the present', async () => {
  await aside.speak();
  await look(model, past, 3);
  const bar = (now: TableFragment) => {
    cleanup();
    render(
      <LookBar model={model} view={now} past={past}>
        <VoteWaits view={now} />
      </LookBar>,
    );
    return screen.getAllByRole('button').map(({ textContent }) => textContent);
  };
  expect(bar({ ...view, myTurn: false })).toEqual(['◀', '▶', '回到现在']);
  expect(bar(view)).toEqual(['◀', '▶', '轮到你走 · 回到现在']);
  const drawOffer = { offer: 1, seat: 'E', accepted: [], pending: ['S', 'N'] };
  const voting = { ...view, myTurn: false, drawOffer, teamSurrender: null } as unknown as TableFragment;
  expect(bar(voting)[0]).toBe('有提议等你答复');
});

it('leaves the focus in the list when the button that led to now is gone', async () => {
  const Page = () => (
    <>
      {past.value && <LookBar model={model} view={view} past={past} />}
      <LogPanel model={model} past={past} />
    </>
  );
  await look(model, past, 3);
  const { container } = render(<Page />);
  const bar = container.querySelector('.bar') as HTMLElement;
  const button = within(bar).getByRole('button', { name: '下一步' });
  button.focus();
  fireEvent.click(button);
  await expect.poll(() => container.querySelector('.bar')).toBeNull();
  expect(document.activeElement).toBe(container.querySelector('ol'));
});

it('says that it is the past: no clock, no turn', async () => {
  await look(model, past, 3);
  const seen = past.value?.seen(view) as TableFragment;
  const { container } = render(<Status view={seen} past />);
  expect(container.textContent).toBe('正在回看，不影响对局');
  expect(container.querySelector('.own, time, .clock')).toBeNull();
  cleanup();
  expect(render(<Status view={view} past={false} />).container.querySelector('.own .clock')).not.toBeNull();
});
