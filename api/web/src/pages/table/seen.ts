// Tells the server that the person has the own turn open on a page that is visible: the normal mail for that turn is
// not needed then. A page in the background tells nothing.
import { useEffect, useRef } from 'preact/hooks';
import { MarkTurnSeenDocument, type TableFragment } from '../../api/generated.ts';
import { command, newKey } from '../../api/http.ts';

/** Tells of the own turn once, when the page shows it. */
export function useTurnSeen(view: TableFragment): void {
  const told = useRef(0);
  useEffect(() => {
    const look = () => {
      const turn = view.myTurn ? (view.turn?.number ?? 0) : 0;
      if (!turn || turn === told.current || document.visibilityState !== 'visible') return;
      told.current = turn;
      const input = { idempotencyKey: newKey(), matchId: view.id, turn };
      // What did not arrive is told again with the next snapshot, or when the page is looked at again.
      command(MarkTurnSeenDocument, { input }).catch(() => {
        told.current = 0;
      });
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [view]);
}
