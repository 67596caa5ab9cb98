// What the bar tells of picks that do nothing, of picks that do, of the own offer of a draw and of own pieces in battle.
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionFragment, TableFragment } from '../src/api/generated.ts';
import { aside } from '../src/i18n/aside.ts';
import { speak } from '../src/i18n/index.ts';
import { whyNot } from '../src/pages/table/idle.ts';
import { MyPieces } from '../src/pages/table/MyPieces.tsx';
import { TableModel } from '../src/pages/table/model.ts';
import { battles, News } from '../src/pages/table/News.tsx';
import { change } from '../src/settings.ts';

const say = async (language: 'zh-Hans' | 'en') => {
  change({ language });
  await speak();
};
beforeAll(async () => {
  await say('zh-Hans');
  await aside.speak();
});
afterEach(cleanup);

const board = [
  { at: 's12', handle: 's12', seat: 'S', identity: 'GENERAL' },
  { at: 's51', handle: 's51', seat: 'S', identity: 'MINE' },
  { at: 's62', handle: 's62', seat: 'S', identity: 'COLONEL' },
  { at: 's64', handle: 's64', seat: 'S', identity: 'FLAG' },
  { at: 'e12', handle: 'e12', seat: 'E', identity: null },
];
const view = (more: object = {}) =>
  ({
    phase: 'PLAYING',
    mySeat: 'S',
    myTurn: true,
    seats: [{ seat: 'S', eliminated: null, piecesLeft: 4 }],
    board,
    myPieces: [...board.slice(0, 4), { at: null, handle: 's13', identity: 'MAJOR' }],
    legalMoves: [{ from: 's12', to: ['s22', 'e12'] }],
    drawOffer: null,
    ...more,
  }) as unknown as TableFragment;
const moved = (seat: string, handle: string, met: object | null = null, outcome = 'NONE') =>
  ({ kind: 'MOVED', seat, move: { seat, handle, met, outcome } }) as unknown as ActionFragment;
const mine = (handle: string) => ({ handle, seat: 'S', identity: null });
const theirs = { handle: 'e12', seat: 'E', identity: null };

describe('a piece that cannot move', () => {
  it('tells why', () => {
    expect(whyNot(view(), 's64')).toBe('军旗不能走');
    expect(whyNot(view({ myTurn: false }), 's51')).toBe('地雷不能走');
    expect(whyNot(view(), 's62')).toBe('大本营里的棋子不能走：团长');
    expect(whyNot(view(), 's12')).toBe('军长现在没有可走的位置');
    expect(whyNot(view({ myTurn: false }), 's12')).toBe('还没轮到你，军长要等轮到时再走');
  });
});

describe('battles of own pieces', () => {
  it('are told from both sides, without the other piece', () => {
    const told = (action: ActionFragment) => battles([action], view())[0];
    expect(told(moved('S', 's12', theirs, 'ATTACKER'))).toBe('你的军长吃掉了东方棋子');
    expect(told(moved('S', 's12', theirs, 'DEFENDER'))).toBe('你的军长撞上东方棋子，阵亡');
    expect(told(moved('S', 's12', theirs, 'BOTH'))).toBe('你的军长与东方棋子同归于尽');
    expect(told(moved('E', 'e12', mine('s13'), 'ATTACKER'))).toBe('你的营长被东方棋子吃掉');
    expect(told(moved('E', 'e12', mine('s51'), 'DEFENDER'))).toBe('你的地雷挡住了东方棋子');
    expect(told(moved('E', 'e12', mine('s51'), 'BOTH'))).toBe('你的地雷与东方棋子同归于尽');
    expect(told(moved('E', 'e12', { ...theirs, seat: 'N' }, 'BOTH'))).toBeUndefined();
  });

  it('are told until the own next turn is over', () => {
    const actions = [moved('S', 's12', theirs, 'DEFENDER'), moved('E', 'e12', mine('s13'), 'ATTACKER')];
    const wait = [...actions, moved('N', 'n12'), moved('W', 'w12')];
    expect(battles(wait, view())).toHaveLength(2);
    expect(battles([...wait, moved('S', 's51')], view())).toEqual([]);
    const skip = { kind: 'SKIPPED', seat: 'S', move: null } as ActionFragment;
    expect(battles([...wait, skip], view())).toEqual([]);
    const out = view({ seats: [{ seat: 'S', eliminated: 'SURRENDER' }] });
    expect(battles(wait, out)).toEqual([]);
    expect(battles(wait, view({ mySeat: null }))).toEqual([]);
  });
});

describe('the line for screen readers', () => {
  const status = (model: TableModel, of: TableFragment) => {
    cleanup();
    render(<News model={model} view={of} />);
    return screen.getByRole('status').textContent;
  };

  it('tells of a pick, of one that does nothing, and of the own offer', () => {
    const model = new TableModel('m');
    const of = view();
    model.view.value = of;
    expect(status(model, of)).toBe('');
    model.pick('s12');
    expect(status(model, of)).toBe('已选军长，可到 2 处');
    model.wonder('s64');
    expect(model.selected.value).toBeNull();
    expect(status(model, of)).toBe('军旗不能走');
    model.pick('s12');
    model.drop();
    expect(status(model, of)).toBe('');
    const offer = { offer: 1, seat: 'S', accepted: [], pending: ['E', 'W'] };
    expect(status(model, view({ drawOffer: offer }))).toBe('你已求和，等其他人答复。待答复：东、西');
    expect(status(model, view({ drawOffer: { ...offer, seat: 'E' } }))).toBe('');
  });
});

describe('the own pieces', () => {
  it('are called with the sign of small tiles where the name does not hold it', async () => {
    const general = () => {
      cleanup();
      const { container } = render(<MyPieces view={view()} />);
      return container.querySelectorAll('li')[1]?.textContent;
    };
    expect(general()).toBe('军长 1/1');
    await say('en');
    expect(general()).toBe('8 · general 1/1');
    await say('zh-Hans');
  });

  it('of a seat that was taken over count what it lost before as lost', () => {
    const { container } = render(<MyPieces view={view()} />);
    const text = (css: string) => container.querySelector(css)?.textContent;
    expect(text('summary')).toBe('我的棋子 · 在盘 4 · 已失 21');
    expect(text('li:last-child')).toBe('军旗 1/1');
    expect(text('li:nth-child(6)')).toBe('营长 0/2');
    cleanup();
    const before = view({ seats: [{ seat: 'S', eliminated: null, piecesLeft: 9 }] });
    expect(render(<MyPieces view={before} />).container.textContent).toBe('');
  });
});
