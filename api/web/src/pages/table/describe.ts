// Positions, pieces and moves of a table in words.
import type { TableFragment } from '../../api/generated.ts';
import type { Target } from '../../board/Board.tsx';
import { nodeOf } from '../../board/nodes.ts';
import type { Shown } from '../../board/pieces.ts';
import { words } from '../../i18n/index.ts';

/** What a position is called, everywhere. */
export function brief(at: string): string {
  const node = nodeOf(at);
  return node ? words().board.place(node.seat, node.row, node.col) : at;
}

/** What is selected and can be picked on the board. */
export interface Around {
  selected: string | null;
  chosen: string | null;
  targets: ReadonlyMap<string, Target>;
  movable: ReadonlySet<string>;
  /** Before the start, when nobody sees what others arrange. */
  arranging?: boolean;
}

type Board = readonly Pick<Shown, 'at' | 'seat' | 'identity' | 'mark' | 'colour'>[];

/** The whole mark on a piece in words: its text and the name of its colour; empty where there is none. */
export function markOf(piece: Pick<Shown, 'mark' | 'colour'> | undefined): string {
  const { marked, colours } = words().board;
  const parts = [piece?.mark, piece?.colour && colours[piece.colour]].filter(Boolean);
  return parts.length > 0 ? marked(parts.join(' · ')) : '';
}

/** A position with all that can be said of it: the label of its button. */
export function describe(at: string, board: Board, mySeat: string | null, around: Around): string {
  const node = nodeOf(at);
  if (!node) return at;
  const { board: w, table } = words();
  const parts = [brief(at)];
  if (node.seat && node.kind !== 'station') parts.push(w.kind[node.kind]);
  const piece = board.find((one) => one.at === at);
  if (!piece) parts.push(around.arranging && node.seat && node.seat !== mySeat ? table.nobody : w.empty);
  else if (!piece.identity) parts.push(w.hidden(piece.seat));
  else parts.push(piece.seat === mySeat ? w.own(piece.identity) : w.known(piece.seat, piece.identity));
  const said = markOf(piece);
  if (said) parts.push(said);
  if (at === around.selected) parts.push(w.selected);
  else if (at === around.chosen) parts.push(w.chosen);
  const target = around.targets.get(at);
  if (target) parts.push(target === 'attack' ? w.attack : target === 'swap' ? w.swap : w.target);
  else if (around.movable.has(at) && at !== around.selected)
    parts.push(around.arranging && piece?.identity ? w.canSwap(piece.identity) : w.canMove);
  return parts.join(w.join);
}

/** The move that waits for a yes. */
export function moveInWords(view: TableFragment, from: string, to: string): string {
  const { table, pieces } = words();
  const piece = view.board.find((one) => one.at === from)?.identity;
  const met = view.board.find((one) => one.at === to);
  const text = table.move.words(piece ? pieces.names[piece] : '', brief(from), brief(to));
  return met ? `${text}${words().board.join}${table.move.attack(met.seat)}` : text;
}
