// The own turn is told as seen when the person has it open on a visible page, with its number, once; a page in the
// background tells nothing.
import { cleanup, render } from '@testing-library/preact';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TableFragment } from '../src/api/generated.ts';
import { useTurnSeen } from '../src/pages/table/seen.ts';

let sent: { matchId: string; turn: number }[] = [];
let visible: DocumentVisibilityState = 'visible';
let works = true;

beforeEach(() => {
  sent = [];
  visible = 'visible';
  works = true;
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible);
  vi.stubGlobal(
    'fetch',
    vi.fn(async (_: string, { body }: { body: string }) => {
      const { matchId, turn } = JSON.parse(body).variables.input;
      sent.push({ matchId, turn });
      return works
        ? new Response('{"data":{"payload":{"userErrors":[]}}}')
        : new Response('{"errors":[{"extensions":{"code":"INTERNAL"}}]}');
    }),
  );
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Page({ view }: { view: TableFragment }) {
  useTurnSeen(view);
  return null;
}
const view = (turn: number | null, myTurn: boolean) =>
  ({ id: 'm', myTurn, turn: turn === null ? null : { number: turn } }) as unknown as TableFragment;
const look = () => document.dispatchEvent(new Event('visibilitychange'));

it('tells of each own turn once', async () => {
  const { rerender } = render(<Page view={view(3, true)} />);
  rerender(<Page view={view(3, true)} />);
  look();
  expect(sent).toEqual([{ matchId: 'm', turn: 3 }]);
  rerender(<Page view={view(4, false)} />);
  expect(sent).toHaveLength(1);
  rerender(<Page view={view(7, true)} />);
  expect(sent.at(-1)).toEqual({ matchId: 'm', turn: 7 });
});

it('waits until the page is visible', () => {
  visible = 'hidden';
  const { rerender } = render(<Page view={view(3, true)} />);
  rerender(<Page view={view(3, true)} />);
  look();
  expect(sent).toEqual([]);
  visible = 'visible';
  look();
  expect(sent).toEqual([{ matchId: 'm', turn: 3 }]);
});

it('tells nothing before the start and on others’ turns', () => {
  const { rerender } = render(<Page view={view(null, false)} />);
  rerender(<Page view={view(3, false)} />);
  look();
  expect(sent).toEqual([]);
});

it('tells again what did not arrive', async () => {
  works = false;
  render(<Page view={view(3, true)} />);
  expect(sent).toHaveLength(1);
  await vi.waitFor(() => {
    look();
    expect(sent.length).toBeGreaterThan(1);
  });
});
