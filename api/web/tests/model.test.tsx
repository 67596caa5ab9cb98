// The table's model: older snapshots are dropped, picking follows the server's legal moves, refusals keep the board.
import { render } from '@testing-library/preact';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ReadyDocument, type TableFragment } from '../src/api/generated.ts';
import { speak } from '../src/i18n/index.ts';
import { TableModel } from '../src/pages/table/model.ts';
import { change } from '../src/settings.ts';
import { Toasts } from '../src/ui/toasts.tsx';

beforeAll(async () => {
  change({ language: 'en', confirmMoves: true });
  await speak();
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('{"data":{"match":null}}')),
  );
});

const view = (version: number, privateVersion: number | null, more: Partial<TableFragment> = {}) =>
  ({
    version,
    privateVersion,
    now: '2026-01-05T08:00:00.000Z',
    phase: 'PLAYING',
    myTurn: true,
    lastMove: null,
    turn: null,
    legalMoves: [{ from: 's12', to: ['s22', 's11'] }],
    board: [],
    ...more,
  }) as unknown as TableFragment;

/** Lets the server refuse a command. */
const refuse = (code: string, brokenRules: object[]) =>
  vi.fn(async () => {
    const payload = { match: view(5, 2), userErrors: [{ code, field: null, retryAfter: null, brokenRules }] };
    return new Response(JSON.stringify({ data: { payload } }));
  });

describe('a refusal', () => {
  it('is said once: broken rules where the formation is, everything else as a message', async () => {
    const { container } = render(<Toasts />);
    const model = new TableModel('m');
    model.take(view(5, 2));
    vi.stubGlobal('fetch', refuse('ILLEGAL_FORMATION', [{ rule: 'COUNT', at: 'bomb' }]));
    await model.run(ReadyDocument, { expectedVersion: 2, nonce: 'n' });
    expect(model.broken.value).toEqual([{ rule: 'COUNT', at: 'bomb' }]);
    vi.stubGlobal('fetch', refuse('NOT_YOUR_TURN', []));
    await model.run(ReadyDocument, { expectedVersion: 2, nonce: 'n' });
    await expect.poll(() => container.querySelectorAll('.toast')).toHaveLength(1);
    expect(container.textContent).not.toContain('formation');
  });
});

describe('snapshots', () => {
  it('never go back', () => {
    const model = new TableModel('m');
    model.take(view(5, 2));
    model.take(view(4, 9));
    expect(model.view.value?.version).toBe(5);
    model.take(view(5, 1));
    expect(model.view.value?.privateVersion).toBe(2);
    model.take(view(5, 3));
    expect(model.view.value?.privateVersion).toBe(3);
    model.take(view(6, null));
    expect(model.view.value?.version).toBe(6);
  });

  it('put down what cannot move any more', () => {
    const model = new TableModel('m');
    model.take(view(5, 2));
    model.pick('s12');
    expect(model.goals.value).toEqual(['s22', 's11']);
    model.take(view(6, 2, { legalMoves: [] }));
    expect(model.selected.value).toBeNull();
  });
});

describe('picking', () => {
  it('chooses a target and waits for a yes', () => {
    const model = new TableModel('m');
    model.take(view(5, 2));
    model.pick('s12');
    model.pick('s22');
    expect(model.chosen.value).toBe('s22');
    expect(model.pending.value).toBeNull();
    model.step(1);
    expect(model.chosen.value).toBe('s11');
    model.pick('s12');
    expect(model.chosen.value).toBeNull();
  });

  it('puts a piece down when it is picked again', () => {
    const model = new TableModel('m');
    model.take(view(5, 2));
    model.pick('s12');
    model.pick('s12');
    expect(model.selected.value).toBeNull();
  });

  it('sends nothing twice while a command is under way', async () => {
    const calls: unknown[] = [];
    vi.stubGlobal(
      'fetch',
      vi.fn(async (_: string, init: RequestInit) => {
        calls.push(JSON.parse(String(init.body)));
        return new Response(
          JSON.stringify({
            data: {
              payload: {
                match: view(5, 2),
                userErrors: [{ code: 'ILLEGAL_MOVE', field: null, retryAfter: null, brokenRules: [] }],
              },
            },
          }),
        );
      }),
    );
    const model = new TableModel('m');
    model.take(view(5, 2));
    model.pick('s12');
    model.chosen.value = 's22';
    await Promise.all([model.move(), model.move()]);
    const moves = calls.filter((call) => JSON.stringify(call).includes('mutation MovePiece'));
    expect(moves).toHaveLength(1);
    expect(moves[0]).toMatchObject({
      variables: { input: { matchId: 'm', from: 's12', to: 's22', expectedVersion: 5 } },
    });
    expect(model.view.value?.version).toBe(5);
    expect(model.chosen.value).toBeNull();
    expect(model.pending.value).toBeNull();
  });
});
