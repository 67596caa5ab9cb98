// Choosing the private mark of a hidden piece.
import { useSignal } from '@preact/signals';
import { SetMarkDocument } from '../../api/generated.marks.ts';
import type { TableFragment } from '../../api/generated.ts';
import { KINDS } from '../../board/pieces.ts';
import { aside } from '../../i18n/aside.ts';
import { words } from '../../i18n/index.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import { brief } from './describe.ts';
import type { TableModel } from './model.ts';
import '../../styles/forms.css';
import '../../styles/marks.css';

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
  const { common, pieces } = words();
  // The piece may move while the sheet is open: its handle stays.
  const piece = useSignal(view.board.find((one) => one.at === at)).value;
  const now = view.marks.find((one) => one.handle === piece?.handle)?.mark ?? null;
  const own = useSignal(now ?? '');
  if (!piece) return null;
  const set = (mark: string | null) => {
    onClose();
    if (mark !== now) void model.run(SetMarkDocument, { handle: piece.handle, mark });
  };
  return (
    <Sheet label={w.heading(piece.seat)} onClose={onClose}>
      <h2>
        {w.heading(piece.seat)} <small>{brief(at)}</small>
      </h2>
      <p class="quiet">{w.hint}</p>
      <div class="mark-signs">
        {[...KINDS.map(([kind]) => pieces.short[kind]), ...w.signs].map((sign) => (
          <button key={sign} type="button" aria-pressed={sign === now} onClick={() => set(sign)}>
            {sign}
          </button>
        ))}
      </div>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          set(own.value.trim() || null);
        }}
      >
        <label class="field grow">
          <span>{w.own}</span>
          <input
            type="text"
            maxLength={8}
            value={own.value}
            onInput={(event) => {
              own.value = firstFour(event.currentTarget.value);
              event.currentTarget.value = own.value;
            }}
          />
        </label>
        <button type="submit">{w.set}</button>
      </form>
      <div class="row between">
        <button type="button" class="risky" disabled={now === null} onClick={() => set(null)}>
          {w.none}
        </button>
        <button type="button" onClick={onClose}>
          {common.close}
        </button>
      </div>
    </Sheet>
  );
}

/** The first four characters as people count them. */
export function firstFour(text: string): string {
  const parts = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  return Array.from(parts, ({ segment }) => segment)
    .slice(0, 4)
    .join('');
}
