// Text mode says whose pieces stand where and what can be done, in words that need no picture; and what labels say
// while people arrange.
import { cleanup, fireEvent, render, screen, within } from '@testing-library/preact';
import { afterEach, beforeAll, expect, describe as group, it, vi } from 'vitest';
import type { TableFragment } from '../src/api/generated.ts';
import { aside } from '../src/i18n/aside.ts';
import { deploy } from '../src/i18n/deploy.ts';
import { speak } from '../src/i18n/index.ts';
import { type Around, describe } from '../src/pages/table/describe.ts';
import { FirstHint } from '../src/pages/table/FirstHint.tsx';
import { TextBoard } from '../src/pages/table/TextBoard.tsx';
import { change } from '../src/settings.ts';
import { Toasts } from '../src/ui/toasts.tsx';

beforeAll(async () => {
  change({ language: 'zh-Hans', textBoard: true });
  await speak();
  await Promise.all([aside.speak(), deploy.speak()]);
});
afterEach(cleanup);

const seat = (of: string, nickname: string | null, house = false) => ({
  seat: of,
  side: of === 'S' || of === 'N' ? 'RED' : 'BLUE',
  active: true,
  vacant: nickname === null,
  eliminated: null,
  piecesLeft: 25,
  person:
    nickname === null
      ? null
      : { house, joined: 'FULL', nicknameThen: nickname, player: { id: of, nickname } },
});
const board = [
  { at: 'n12', handle: 'n12', seat: 'N', identity: 'COLONEL' },
  { at: 'n62', handle: 'n62', seat: 'N', identity: 'FLAG' },
  { at: 'n51', handle: 'n51', seat: 'N', identity: 'MINE' },
  { at: 'e13', handle: 'e13', seat: 'E', identity: null },
] as const;
const view = (more: object = {}) =>
  ({
    phase: 'PLAYING',
    mySeat: 'N',
    mySide: 'RED',
    myTurn: true,
    turn: null,
    lastMove: { seat: 'E', from: 'e12', to: 'e13', outcome: 'NONE', revealed: [], captured: null },
    seats: [seat('S', '南山'), seat('E', '陪练一号', true), seat('N', '北斗'), seat('W', null)],
    board,
    ...more,
  }) as unknown as TableFragment;
const around = (more: Partial<Around> = {}): Around => ({
  selected: null,
  chosen: null,
  targets: new Map(),
  movable: new Set(['n12']),
  ...more,
});

function show(of: TableFragment, more: Partial<Around> = {}) {
  const pick = vi.fn();
  const { container } = render(<TextBoard view={of} pieces={board} pick={pick} around={around(more)} />);
  return { pick, text: container.textContent ?? '', container };
}

group('text mode', () => {
  it('tells the seats: who sits there, whose side, what is left', () => {
    const { text } = show(view());
    expect(text).toContain('上一步：东方，东1排2列 → 东1排3列');
    const cards = screen.getAllByRole('listitem').filter((item) => item.querySelector('.seat'));
    expect(cards.map((card) => card.textContent)).toEqual([
      '南队友南山25 子',
      '东对手陪练一号陪练25 子',
      '北我北斗25 子',
      '西对手空席25 子',
    ]);
  });

  it('shows a name in full to whoever taps it', async () => {
    const { container } = show(view());
    const toasts = render(<Toasts />);
    fireEvent.click(container.querySelector('.side-E .seat-name') as Element);
    await expect.poll(() => toasts.container.querySelector('.toast span')?.textContent).toBe('陪练一号');
  });

  it('keeps own pieces that cannot move apart from other people’s', () => {
    const { pick } = show(view());
    fireEvent.click(screen.getByRole('button', { name: '团长，北1排2列' }));
    expect(pick).toHaveBeenCalledWith('n12');
    const rest = screen.getByText('我的其他棋子，现在不能走：2 子').parentElement as HTMLElement;
    expect(
      within(rest)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['军旗，北6排2列', '地雷，北5排1列']);
    expect(screen.getByText('东方（对手），1 子')).toBeTruthy();
    expect(screen.queryByText(/^北方/)).toBeNull();
    expect(screen.getByRole('button', { name: '东1排3列' })).toBeTruthy();
  });

  it('says why pieces cannot move, and of all at once that they wait for the own turn', () => {
    const lines = (of: TableFragment, movable: string[]) => {
      cleanup();
      show(of, { movable: new Set(movable) });
      const list = screen.getByText(/我的其他棋子|我的棋子都要等/).parentElement as HTMLElement;
      return within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent);
    };
    const turn = { number: 3, seat: 'N', deadline: '2026-01-05T08:00:00.000Z' };
    expect(lines(view({ turn }), [])).toEqual([
      '北1排2列：团长现在没有可走的位置',
      '北6排2列：军旗不能走',
      '北5排1列：地雷不能走',
    ]);
    expect(lines(view({ turn, myTurn: false }), [])[0]).toBe('团长，北1排2列');
    expect(screen.getByText('还没轮到你，我的棋子都要等：3 子')).toBeTruthy();
  });

  it('lists where the selected piece can go', () => {
    show(view(), {
      selected: 'n12',
      targets: new Map([
        ['n22', 'empty'],
        ['e13', 'attack'],
      ]),
    });
    expect(screen.getByRole('heading', { name: '团长可到 2 处' })).toBeTruthy();
    expect(screen.getByRole('button', { name: '北2排2列，行营，空，可到' })).toBeTruthy();
    expect(screen.getByRole('button', { name: '东1排3列，东方暗子，可攻击' })).toBeTruthy();
  });

  it('leads on from a pick to where it can go, and back when that is gone', async () => {
    const frame = (selected: string | null) => (
      <TextBoard
        view={view()}
        pieces={board}
        pick={() => {}}
        around={around({ selected, targets: new Map(selected ? [['n22', 'empty']] : []) })}
      />
    );
    const { rerender } = render(frame(null));
    expect(document.activeElement).toBe(document.body);
    rerender(frame('n12'));
    await expect.poll(() => document.activeElement?.textContent).toBe('团长可到 1 处');
    rerender(frame(null));
    await expect.poll(() => document.activeElement?.textContent).toBe('四家');
  });

  it('speaks of exchanging before the start', () => {
    const arranging = { phase: 'ASSEMBLING', myTurn: false, lastMove: null };
    const movable = new Set(['n12', 'n62', 'n51']);
    const { text } = show(view(arranging), {
      movable,
      arranging: true,
      selected: 'n51',
      targets: new Map([['n62', 'swap']]),
    });
    expect(screen.getByRole('heading', { name: '我的棋子' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: '地雷可与这些互换' })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^北6排2列，大本营，自己的军旗，可交换$/ })).toBeTruthy();
    expect(text).not.toMatch(/可走|不能走/);
  });

  it('needs no hint that speaks of the picture', () => {
    expect(render(<FirstHint view={view()} />).container.textContent).toBe('');
    change({ textBoard: false });
    expect(render(<FirstHint view={view()} />).container.textContent).not.toBe('');
    cleanup();
    const out = [{ ...seat('N', '北斗'), eliminated: 'SURRENDER' }];
    expect(render(<FirstHint view={view({ seats: out })} />).container.textContent).toBe('');
    change({ textBoard: true });
    const { hint, hintText } = deploy.words();
    expect(hint).toContain('点');
    expect(hintText).not.toMatch(/点|拖|色|绿|红/);
  });
});

group('labels before the start', () => {
  const label = (at: string, more: Partial<Around> = {}) =>
    describe(at, board, 'N', around({ arranging: true, movable: new Set(['n12', 'n62', 'n51']), ...more }));

  it('say what a piece can change places with, never that it can move', () => {
    expect(label('n12')).toBe('北1排2列，自己的团长，可互换');
    expect(label('n62')).toBe('北6排2列，大本营，自己的军旗，可与另一大本营的棋子互换');
    expect(label('n51')).toBe('北5排1列，自己的地雷，可与后两排的棋子互换');
    expect(label('n51', { selected: 'n51' })).toBe('北5排1列，自己的地雷，已选中');
    expect(label('n12', { selected: 'n62', targets: new Map([['n12', 'swap']]) })).toContain('可交换');
  });

  it('call nothing empty that nobody may see', () => {
    expect(label('e11')).toBe('东1排1列，布阵中不显示');
    expect(label('n22')).toBe('北2排2列，行营，空');
    expect(label('c22')).toBe('中宫，空');
  });
});
