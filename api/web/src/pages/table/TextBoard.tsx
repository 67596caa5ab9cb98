// The table as lists: who sits where, own pieces that can move, where the selected one can go, and everybody's other
// pieces by position.
import { useEffect, useRef } from 'preact/hooks';
import type { TableFragment } from '../../api/generated.ts';
import { SEATS, type Seat } from '../../board/nodes.ts';
import type { Shown } from '../../board/pieces.ts';
import { aside } from '../../i18n/aside.ts';
import { words } from '../../i18n/index.ts';
import { type Around, brief, describe, markOf } from './describe.ts';
import { whyNever, whyNot } from './idle.ts';
import { logLine } from './logLine.ts';
import { mayMark } from './marks.ts';
import { roleOf, SeatCard } from './SeatCard.tsx';
import '../../styles/text.css';

interface Props {
  view: TableFragment;
  /** The pieces with the person's marks. */
  pieces: readonly Shown[];
  pick: (at: string) => void;
  around: Around;
}

/** The text mode of the board. */
export function TextBoard({ view, pieces: shown, pick, around }: Props) {
  const { table, pieces, board } = words();
  const { text } = aside.words();
  const { selected, chosen, targets, movable, arranging } = around;
  const of = (seat: Seat | null) => shown.filter((piece) => piece.seat === seat);
  const mine = of(view.mySeat);
  const can = mine.filter(({ at }) => movable.has(at));
  const cannot = mine.filter(({ at }) => !movable.has(at));
  const others = SEATS.filter((seat) => seat !== view.mySeat);
  const name = mine.find(({ at }) => at === selected)?.identity;
  const last = view.lastMove;
  const line = ({ at, identity }: Shown) => (identity ? pieces.names[identity] + board.join : '') + brief(at);
  /** Whether the match goes on and this is now. */
  const live = view.phase === 'PLAYING' && view.turn !== null;
  /** An own piece with why it cannot move; that of all that wait for the own turn stands above them. */
  const idle = (piece: Shown) => {
    const why = live ? (view.myTurn ? whyNot : whyNever)(view, piece.at) : '';
    return why ? table.log.of(brief(piece.at), why) : line(piece);
  };
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(selected);
  useEffect(() => {
    if (selected === before.current) return;
    before.current = selected;
    // What was picked, or put down, may be gone from the lists: the focus goes where it goes on.
    if (selected || document.activeElement === document.body) heading.current?.focus();
  }, [selected]);
  return (
    <div class="text-board">
      {last && <p>{text.last(last.seat, logLine({ kind: 'MOVED', move: last }))}</p>}
      <h2 ref={selected ? undefined : heading} tabIndex={-1}>
        {text.seats}
      </h2>
      <ul class="plain text-seats">
        {SEATS.map((seat) => (
          <li key={seat}>
            <SeatCard view={view} seat={seat} />
          </li>
        ))}
      </ul>
      {(can.length > 0 || view.myTurn) && (
        <>
          <h2>{arranging ? table.pieces : text.own}</h2>
          {can.length === 0 && <p class="quiet">{table.text.none}</p>}
          <ul class="choices">
            {can.map((piece) => (
              <li key={piece.handle}>
                <button type="button" aria-pressed={piece.at === selected} onClick={() => pick(piece.at)}>
                  {line(piece)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {selected && name && (
        <>
          <h2 ref={heading} tabIndex={-1}>
            {(arranging ? text.swaps : text.targets)(pieces.names[name], targets.size)}
          </h2>
          <ul class="choices">
            {[...targets.keys()].map((at) => (
              <li key={at}>
                <button type="button" aria-pressed={at === chosen} onClick={() => pick(at)}>
                  {describe(at, shown, view.mySeat, { ...around, chosen: null })}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {cannot.length > 0 && (
        <details>
          <summary>{(live && !view.myTurn ? text.wait : text.rest)(cannot.length)}</summary>
          <ul class="choices">
            {cannot.map((piece) => (
              <li key={piece.handle}>{idle(piece)}</li>
            ))}
          </ul>
        </details>
      )}
      <h2>{text.others}</h2>
      {arranging && <p class="quiet">{table.nobody}</p>}
      {shown.some(({ at }) => mayMark(view, at)) && <p class="quiet">{text.mark}</p>}
      {others.map((seat) => {
        const theirs = of(seat);
        if (theirs.length === 0) return null;
        return (
          <details key={seat}>
            <summary>{text.list(seat, roleOf(view, seat), theirs.length)}</summary>
            <ul class="choices">
              {theirs.map((piece) => (
                <li key={piece.handle}>
                  {mayMark(view, piece.at) ? (
                    <button type="button" onClick={() => pick(piece.at)}>
                      {brief(piece.at)}
                      {markOf(piece) && `${board.join}${markOf(piece)}`}
                    </button>
                  ) : (
                    line(piece)
                  )}
                </li>
              ))}
            </ul>
          </details>
        );
      })}
    </div>
  );
}
