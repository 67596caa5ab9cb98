// The board as a component: keys pick and drop, clicks tell the position, labels come from outside.
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Board, type BoardProps } from '../src/board/Board.tsx';
import { fit } from '../src/board/tracks.ts';
import { speak } from '../src/i18n/index.ts';
import { change } from '../src/settings.ts';

beforeAll(async () => {
  change({ language: 'en' });
  await speak();
});
afterEach(cleanup);

function show(more: Partial<BoardProps> = {}) {
  const props: BoardProps = {
    view: { tracks: fit(800, 800), bottom: 'S' },
    size: { width: 800, height: 800 },
    pieces: [
      { handle: 's12', at: 's12', seat: 'S', identity: 'COLONEL' },
      { handle: 'e13', at: 'e13', seat: 'E', identity: null },
    ],
    region: 'all',
    onRegion: vi.fn(),
    movable: new Set(['s12']),
    onPick: vi.fn(),
    onDrop: vi.fn(),
    onRead: vi.fn(),
    describe: (at) => `position ${at}`,
    ...more,
  };
  render(<Board {...props} />);
  return { props, board: screen.getByRole('application') };
}

describe('the board', () => {
  it('has a button for each position and one tab stop', () => {
    show();
    expect(screen.getAllByRole('button')).toHaveLength(129);
    expect(document.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    expect(screen.getByLabelText('position w65')).toBeTruthy();
  });

  it('lets keys in at a piece that can be picked, else at an own one', () => {
    const entry = () => document.querySelector('[tabindex="0"]')?.getAttribute('data-at');
    const pieces = [
      { handle: 'e62', at: 'e62', seat: 'E', identity: 'FLAG' },
      { handle: 's12', at: 's12', seat: 'S', identity: 'COLONEL' },
      { handle: 's13', at: 's13', seat: 'S', identity: 'MAJOR' },
    ] as const;
    show({ pieces, movable: new Set(['s13']) });
    expect(entry()).toBe('s13');
    cleanup();
    show({ pieces, movable: new Set() });
    expect(entry()).toBe('s12');
    cleanup();
    show({ pieces, movable: new Set(), view: { tracks: fit(800, 800), bottom: 'E' } });
    expect(entry()).toBe('s12');
  });

  it('shows own ranks and nobody else’s', () => {
    show();
    expect(document.querySelectorAll('.piece.open .rank')).toHaveLength(1);
    expect(document.querySelector('.piece.side-E')?.textContent).toBe('');
  });

  it('shows what the person wrote on a back, and on no open face', () => {
    show({
      pieces: [
        { handle: 'e13', at: 'e13', seat: 'E', identity: null, mark: '?!' },
        { handle: 'n62', at: 'n62', seat: 'N', identity: 'FLAG', mark: 'x' },
      ],
    });
    expect(document.querySelector('.piece.side-E.dark')?.textContent).toBe('?!');
    expect(document.querySelector('.piece.side-N.open')?.textContent).not.toContain('x');
  });

  it('shows the beginning of a long mark, and a colour never without a character', () => {
    const dark = { seat: 'E', identity: null } as const;
    show({
      pieces: [
        { ...dark, handle: 'e13', at: 'e13', mark: '可能是司令', colour: 'RED' },
        { ...dark, handle: 'e14', at: 'e14', mark: '', colour: 'GREEN' },
      ],
    });
    expect(document.querySelector('.piece .red .rank')?.textContent).toBe('可能是');
    expect(document.querySelector('.piece .green .rank')?.textContent).toBe('g');
  });

  it('shows no more of a mark than fits between the edges of the piece', () => {
    const shown = (width: number, mark: string) => {
      cleanup();
      show({
        view: { tracks: fit(width, width), bottom: 'S' },
        size: { width, height: width },
        pieces: [{ handle: 'e13', at: 'e13', seat: 'E', identity: null, mark }],
      });
      const letters = document.querySelector('.piece.dark .rank');
      const room = Number(document.querySelector('.piece.dark .inlay')?.getAttribute('width'));
      const size = Number(letters?.getAttribute('font-size'));
      const text = letters?.textContent ?? '';
      expect(size * text.length * (/^[ -~]/.test(text) ? 0.78 : 1)).toBeLessThan(room);
      expect(size).toBeGreaterThanOrEqual(9);
      return text;
    };
    expect(shown(800, '可能是司令')).toBe('可能是');
    expect(shown(600, '可能是司令')).toBe('可能');
    expect(shown(340, '可能是司令')).toBe('可');
    expect(shown(340, 'hi!')).toBe('h');
    expect(shown(800, 'hi!')).toBe('hi!');
  });

  it('goes to the next movable piece, picks it and puts it down by keys', () => {
    const { props, board } = show();
    fireEvent.keyDown(board, { key: 'n' });
    fireEvent.keyDown(board, { key: 'Enter' });
    expect(props.onPick).toHaveBeenCalledWith('s12');
    fireEvent.keyDown(board, { key: 'ArrowRight' });
    fireEvent.keyDown(board, { key: ' ' });
    expect(props.onPick).toHaveBeenLastCalledWith('s13');
    fireEvent.keyDown(board, { key: 'Escape' });
    expect(props.onDrop).toHaveBeenCalledOnce();
  });

  it('zooms and reads by keys, and leaves other keys alone', () => {
    const { props, board } = show();
    fireEvent.keyDown(board, { key: '3' });
    expect(props.onRegion).toHaveBeenCalledWith('top');
    fireEvent.keyDown(board, { key: 'l' });
    expect(props.onRead).toHaveBeenCalledWith('last');
    expect(fireEvent.keyDown(board, { key: 'q' })).toBe(true);
    expect(fireEvent.keyDown(board, { key: 'n', ctrlKey: true })).toBe(true);
  });

  it('tells clicks of assistive technology, which have no place on the screen', () => {
    const { props } = show();
    fireEvent.click(screen.getByLabelText('position c22'), { detail: 0 });
    expect(props.onPick).toHaveBeenCalledWith('c22');
  });

  it('marks targets by form', () => {
    show({
      selected: 's12',
      targets: new Map([
        ['s22', 'empty'],
        ['e13', 'attack'],
      ]),
    });
    expect(document.querySelectorAll('.marks .dot')).toHaveLength(1);
    expect(document.querySelectorAll('.marks .attack')).toHaveLength(1);
    expect(document.querySelectorAll('.marks .selected')).toHaveLength(1);
  });

  it('lets a fallen piece fade also when another snapshot of the same step comes', async () => {
    const { props } = show();
    cleanup();
    const [one, other] = props.pieces;
    if (!one || !other) throw new Error('two pieces');
    const board = (pieces: BoardProps['pieces'], key: string) => (
      <Board {...props} pieces={pieces} walk={{ key, handle: 's12', route: ['s12', 'e13'] }} />
    );
    const { rerender, container } = render(board([one, other], '1'));
    rerender(board([other], '2'));
    expect(container.querySelectorAll('.ghost')).toHaveLength(1);
    rerender(board([{ ...other }], '2'));
    await vi.waitFor(() => expect(container.querySelectorAll('.ghost')).toHaveLength(0), { timeout: 5000 });
  });
});
