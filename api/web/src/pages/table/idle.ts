// Why an own piece cannot be moved now.
import type { TableFragment } from '../../api/generated.ts';
import { nodeOf } from '../../board/nodes.ts';
import { aside } from '../../i18n/aside.ts';
import { words } from '../../i18n/index.ts';

/** The reason in words; empty where no own piece stands. */
export function whyNot(view: TableFragment, at: string): string {
  const piece = view.board.find((one) => one.at === at)?.identity;
  if (!piece) return '';
  const { idle } = aside.words();
  const name = words().pieces.names[piece];
  return whyNever(view, at) || (view.myTurn ? idle.blocked(name) : idle.wait(name));
}

/** The same of a piece that cannot move in anybody’s turn; empty for all others. */
export function whyNever(view: TableFragment, at: string): string {
  const piece = view.board.find((one) => one.at === at)?.identity;
  if (!piece) return '';
  const { idle } = aside.words();
  const name = words().pieces.names[piece];
  if (piece === 'FLAG' || piece === 'MINE') return idle.never(name);
  return nodeOf(at)?.kind === 'headquarters' ? idle.headquarters(name) : '';
}
