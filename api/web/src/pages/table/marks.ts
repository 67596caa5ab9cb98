// The person's private marks on others' hidden pieces: who may set them where, and the pieces with them.
import type { TableFragment } from '../../api/generated.ts';
import type { Shown } from '../../board/pieces.ts';

/** The pieces with the marks that their backs carry. */
export function marked(pieces: readonly Shown[], marks: TableFragment['marks']): readonly Shown[] {
  if (marks.length === 0) return pieces;
  const of = new Map(marks.map(({ handle, ...mark }) => [handle, mark]));
  return pieces.map((piece) => (piece.identity ? piece : { ...piece, ...of.get(piece.handle) }));
}

/** Whether the piece at a position can carry a mark of the viewer: hidden, of another seat, in a match that runs. */
export const mayMark = (view: TableFragment, at: string): boolean =>
  view.phase === 'PLAYING' &&
  view.mySeat !== null &&
  view.board.some((piece) => piece.at === at && piece.seat !== view.mySeat && !piece.identity);
