// A seat's card in its corner of the cross: who sits there, what is left, whose clock runs.
import type { TableFragment } from '../../api/generated.ts';
import { type Seat, sideOf } from '../../board/nodes.ts';
import { left } from '../../clock.ts';
import { countdown, words } from '../../i18n/index.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { say } from '../../ui/toasts.tsx';
import { personName } from './people.ts';

/** What a seat is to the viewer; to those without a side, its side. */
export function roleOf({ mySeat, mySide }: TableFragment, seat: Seat): string {
  const { table, sides } = words();
  if (mySeat === seat) return table.you;
  if (!mySide) return sides[sideOf(seat)];
  return sideOf(seat) === mySide ? table.mate : table.enemy;
}

/** The card of a seat. */
export function SeatCard({ view, seat }: { view: TableFragment; seat: Seat }) {
  const { table, common } = words();
  const card = view.seats.find((one) => one.seat === seat);
  if (!card) return null;
  const turn = view.turn?.seat === seat ? view.turn : null;
  const mine = view.mySeat === seat;
  const assembling = view.phase === 'ASSEMBLING';
  const name = mine || !assembling ? personName(card, mine) : table.nobody;
  const state = [
    turn ? 'turn' : '',
    card.eliminated ? 'out' : '',
    card.vacant ? 'vacant' : '',
    mine ? 'mine' : '',
  ].join(' ');
  return (
    <div class={`seat side-${seat} ${state}`}>
      <div class="seat-head">
        <SeatBadge seat={seat} />
        <span class="seat-role">{roleOf(view, seat)}</span>
      </div>
      <div class="seat-name" title={name} onClick={() => say(name)}>
        <span>{name}</span>
        {card.person?.house && <small class="tag">{common.house}</small>}
      </div>
      {card.eliminated ? (
        <div class="seat-note">{table.eliminated(card.eliminated)}</div>
      ) : (
        !assembling && <div class="seat-note">{table.left(card.piecesLeft)}</div>
      )}
      {turn && <div class="seat-clock">{countdown(left(turn.deadline))}</div>}
    </div>
  );
}
