// The table as lists: own pieces that can move, where the selected one can go, everybody else's pieces by position.
import type { TableFragment } from '../../api/generated.ts';
import type { Target } from '../../board/Board.tsx';
import { SEATS } from '../../board/nodes.ts';
import type { Shown } from '../../board/pieces.ts';
import { aside } from '../../i18n/aside.ts';
import { words } from '../../i18n/index.ts';
import { brief, describe, markOf } from './describe.ts';
import { logLine } from './logLine.ts';
import { mayMark } from './marks.ts';
import type { TableModel } from './model.ts';
import '../../styles/text.css';

interface Props {
  model: TableModel;
  view: TableFragment;
  /** The pieces with the person's marks. */
  pieces: readonly Shown[];
  pick: (at: string) => void;
  targets: ReadonlyMap<string, Target>;
  movable: ReadonlySet<string>;
}

/** The text mode of the board. */
export function TextBoard({ model, view, pieces: shown, pick, targets, movable }: Props) {
  const { table, pieces, board } = words();
  const { text } = aside.words();
  const selected = model.selected.value;
  const around = { selected: null, chosen: model.chosen.value, targets, movable: new Set<string>() };
  const name = view.board.find((piece) => piece.at === selected)?.identity;
  const last = view.lastMove;
  return (
    <div class="text-board">
      {last && <p>{text.last(`${words().seats[last.seat]} ${logLine({ kind: 'MOVED', move: last })}`)}</p>}
      <h2>{text.own}</h2>
      {movable.size === 0 && <p class="quiet">{table.text.none}</p>}
      <ul class="choices">
        {view.board
          .filter((piece) => movable.has(piece.at))
          .map((piece) => (
            <li key={piece.handle}>
              <button type="button" aria-pressed={piece.at === selected} onClick={() => pick(piece.at)}>
                {piece.identity ? pieces.names[piece.identity] : ''}
                {board.join}
                {brief(piece.at)}
              </button>
            </li>
          ))}
      </ul>
      {selected && name && (
        <>
          <h2>{text.targets(pieces.names[name])}</h2>
          <ul class="choices">
            {[...targets.keys()].map((at) => (
              <li key={at}>
                <button type="button" aria-pressed={at === model.chosen.value} onClick={() => pick(at)}>
                  {describe(at, shown, view.mySeat, around)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2>{text.others}</h2>
      {SEATS.map((seat) => {
        const of = shown.filter((piece) => piece.seat === seat && !movable.has(piece.at));
        if (of.length === 0) return null;
        return (
          <details key={seat}>
            <summary>{text.list(seat, of.length)}</summary>
            <ul class="choices">
              {of.map((piece) => (
                <li key={piece.handle}>
                  {mayMark(view, piece.at) ? (
                    <button type="button" onClick={() => pick(piece.at)}>
                      {brief(piece.at)}
                      {markOf(piece) && `${board.join}${markOf(piece)}`}
                    </button>
                  ) : (
                    <>
                      {brief(piece.at)}
                      {piece.identity && ` ${pieces.names[piece.identity]}`}
                    </>
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
