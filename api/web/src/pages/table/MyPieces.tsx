// The own pieces by kind: how many are left of each.
import type { Piece, TableFragment } from '../../api/generated.ts';
import { KINDS } from '../../board/pieces.ts';
import { words } from '../../i18n/index.ts';
import '../../styles/playing.css';

const WHOLE = KINDS.reduce((sum, [, of]) => sum + of, 0);

/** A piece as it is called, after the sign on small tiles where that is not in its name. */
function called(kind: Piece): string {
  const { names, short } = words().pieces;
  return names[kind].includes(short[kind]) ? names[kind] : `${short[kind]} · ${names[kind]}`;
}

/** A small table of the own pieces: a seat that was taken over has lost what it lost before, too. */
export function MyPieces({ view }: { view: TableFragment }) {
  const { table } = words();
  const alive = view.myPieces.filter((piece) => piece.at !== null);
  const left = view.seats.find(({ seat }) => seat === view.mySeat)?.piecesLeft ?? 0;
  // Of a time before the takeover not all is known.
  if (view.myPieces.length === 0 || left > alive.length) return null;
  return (
    <details class="card own-pieces">
      <summary>
        {table.pieces} · {table.alive} {alive.length} · {table.gone} {WHOLE - alive.length}
      </summary>
      <ul class="kinds">
        {KINDS.map(([kind, of]) => {
          const now = alive.filter((piece) => piece.identity === kind).length;
          return (
            <li key={kind} class={now === 0 ? 'none' : undefined}>
              {called(kind)} <b>{now}</b>
              <small>/{of}</small>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
