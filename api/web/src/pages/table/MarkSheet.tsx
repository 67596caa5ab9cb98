// Choosing the private mark of a hidden piece.
import { useSignal } from '@preact/signals';
import { SetMarkDocument } from '../../api/generated.marks.ts';
import type { MarkColour, TableFragment } from '../../api/generated.ts';
import { KINDS } from '../../board/pieces.ts';
import { beginning } from '../../board/signs.ts';
import { aside } from '../../i18n/aside.ts';
import { words } from '../../i18n/index.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import { brief } from './describe.ts';
import type { TableModel } from './model.ts';
import '../../styles/forms.css';
import '../../styles/marks.css';

const COLOURS: readonly MarkColour[] = ['VIOLET', 'RED', 'BLUE', 'GREEN', 'AMBER'];

/** The most characters of a mark, and code points. */
const MOST = 40;
const MOST_POINTS = 120;

interface Props {
  model: TableModel;
  view: TableFragment;
  /** Where the piece stood when it was picked. */
  at: string;
  onClose: () => void;
}

/** A sheet of marks for the piece at a position. */
export function MarkSheet({ model, view, at, onClose }: Props) {
  const { marks: w } = aside.words();
  const { common, pieces, board } = words();
  // The piece may move while the sheet is open: its handle stays.
  const piece = useSignal(view.board.find((one) => one.at === at)).value;
  const now = view.marks.find((one) => one.handle === piece?.handle);
  const own = useSignal(now?.mark ?? '');
  const colour = useSignal(now?.colour ?? null);
  if (!piece) return null;
  const set = (mark: string | null, colour: MarkColour | null) => {
    onClose();
    if ((mark ?? '') === (now?.mark ?? '') && colour === (now?.colour ?? null)) return;
    void model.run(SetMarkDocument, { handle: piece.handle, mark, colour });
  };
  return (
    <Sheet label={w.heading(piece.seat)} onClose={onClose}>
      <h2>
        {w.heading(piece.seat)} <small>{brief(at)}</small>
      </h2>
      <p class="quiet">{w.hint}</p>
      <div class="row mark-colours" role="group" aria-label={w.colour}>
        {COLOURS.map((one) => (
          <button
            key={one}
            type="button"
            class={`dot-${one.toLowerCase()}`}
            aria-pressed={colour.value === one}
            onClick={() => {
              colour.value = colour.value === one ? null : one;
            }}
          >
            {board.colours[one]}
          </button>
        ))}
      </div>
      <div class="mark-signs">
        {[...KINDS.map(([kind]) => pieces.short[kind]), ...w.signs].map((sign) => (
          <button
            key={sign}
            type="button"
            aria-pressed={sign === now?.mark}
            onClick={() => set(sign, colour.value)}
          >
            {sign}
          </button>
        ))}
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          set(own.value.trim() || null, colour.value);
        }}
      >
        <label class="field grow">
          <span>{w.own}</span>
          <input
            type="text"
            value={own.value}
            onInput={(event) => {
              own.value = fitting(event.currentTarget.value);
              event.currentTarget.value = own.value;
            }}
          />
        </label>
        <button type="submit">{w.set}</button>
      </form>
      <div class="row between">
        <button type="button" class="risky" disabled={!now} onClick={() => set(null, null)}>
          {w.none}
        </button>
        <button type="button" onClick={onClose}>
          {common.close}
        </button>
      </div>
    </Sheet>
  );
}

/** What of a text a mark can hold. */
export function fitting(text: string): string {
  let held = beginning(text, MOST);
  // One character may be many code points; they go one by one, whole.
  for (let most = MOST; [...held].length > MOST_POINTS; most -= 1) held = beginning(held, most);
  return held;
}
