// The own pieces by kind: how many are left of each.
import type { Piece, TableFragment } from '../../api/generated.ts';
import { KINDS } from '../../board/pieces.ts';
import { words } from '../../i18n/index.ts';
import '../../styles/playing.css';

/** A piece as it is called, after the sign on small tiles where that is not in its name. */
function called(kind: Piece): string {
  const { names, short } = words().pieces;
  return names[kind].includes(short[kind]) ? names[kind] : `${short[kind]} · ${names[kind]}`;
}

/** A small table of the own pieces. */
export function MyPieces({ view }: { view: TableFragment }) {
  const { table } = words();
  const lost = view.myPieces.filter((piece) => piece.at === null).length;
  if (view.myPieces.length === 0) return null;
  return (
    <details class="card own-pieces">
      <summary>
        {table.pieces} · {table.alive} {view.myPieces.length - lost} · {table.gone} {lost}
      </summary>
      <ul class="kinds">
        {KINDS.map(([kind]) => {
          const of = view.myPieces.filter((piece) => piece.identity === kind);
          const alive = of.filter((piece) => piece.at !== null).length;
          return (
            <li key={kind} class={alive === 0 ? 'none' : undefined}>
              {called(kind)} <b>{alive}</b>
              <small>/{of.length}</small>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
