// The own formation, seat-relative.
import type { TableFragment } from '../../api/generated.ts';
import { nodeOf } from '../../board/nodes.ts';
import type { Placed } from '../../formation/rules.ts';

/** The own piece at a position, seat-relative. */
export function placedAt(view: TableFragment, at: string): Placed | null {
  const node = nodeOf(at);
  const piece = view.board.find((one) => one.at === at)?.identity;
  return node && piece ? { row: node.row, col: node.col, piece } : null;
}
