// The board as it was after an action, told from public actions and the own identities alone.
import type { ActionFragment, TableFragment } from '../../api/generated.ts';
import { NODES, type Piece, type Seat } from '../../board/nodes.ts';
import type { Shown } from '../../board/pieces.ts';

/** A board of the past. */
export interface Past {
  version: number;
  pieces: readonly Shown[];
  route: readonly string[] | null;
  /** What is known of the table now, without what was not so then. */
  seen: (view: TableFragment) => TableFragment;
}

/** The board after the actions up to a version; every action of the match has to be there. */
export function boardAt(actions: readonly ActionFragment[], version: number, view: TableFragment): Past {
  const own = new Map(view.myPieces.map((piece) => [piece.handle, piece.identity]));
  const pieces = new Map<string, Shown>();
  let last: ActionFragment['move'] = null;
  for (const action of actions) {
    if (action.version > version) break;
    if (action.kind === 'STARTED') fill(pieces, own);
    if (action.kind === 'SEAT_ELIMINATED') {
      for (const piece of [...pieces.values()]) {
        if (piece.seat === action.seat) pieces.delete(piece.handle);
      }
    }
    const move = action.move;
    if (!move) continue;
    last = move;
    const piece = pieces.get(move.handle);
    if (move.met && (move.outcome === 'ATTACKER' || move.outcome === 'BOTH')) pieces.delete(move.met.handle);
    if (move.outcome === 'DEFENDER' || move.outcome === 'BOTH') pieces.delete(move.handle);
    else if (piece) pieces.set(move.handle, { ...piece, at: move.to });
    for (const flag of move.revealed) reveal(pieces, flag.at);
  }
  const then = [...pieces.values()];
  return { version, pieces: then, route: last?.route ?? null, seen: (now) => seen(now, then, last) };
}

function seen(view: TableFragment, then: readonly Shown[], lastMove: ActionFragment['move']): TableFragment {
  const seats = view.seats.map((card) => {
    const piecesLeft = then.filter((piece) => piece.seat === card.seat).length;
    return { ...card, piecesLeft, eliminated: piecesLeft > 0 ? null : card.eliminated };
  });
  const myPieces = view.myPieces.map((piece) => ({
    ...piece,
    at: then.find((one) => one.handle === piece.handle)?.at ?? null,
  }));
  return { ...view, turn: null, myTurn: false, lastMove, seats, myPieces };
}

function fill(pieces: Map<string, Shown>, own: ReadonlyMap<string, Piece>): void {
  for (const node of NODES) {
    if (!node.seat || node.kind === 'camp') continue;
    const piece = {
      handle: node.id,
      at: node.id,
      seat: node.seat as Seat,
      identity: own.get(node.id) ?? null,
    };
    pieces.set(node.id, piece);
  }
}

function reveal(pieces: Map<string, Shown>, at: string): void {
  for (const piece of pieces.values()) {
    if (piece.at === at) pieces.set(piece.handle, { ...piece, identity: 'FLAG' });
  }
}
