// A seat's sign: its colour, glyph and letter, so that colour alone never tells.

import type { Seat } from '../board/nodes.ts';
import { GLYPHS } from '../board/pieces.ts';
import { words } from '../i18n/index.ts';

/** The sign of a seat. */
export function SeatBadge({ seat }: { seat: Seat }) {
  return (
    <span class={`badge side-${seat}`}>
      <svg viewBox="-2 -2 4 4" width="11" height="11" aria-hidden="true">
        <path d={GLYPHS[seat]} />
      </svg>
      {words().seats[seat]}
    </span>
  );
}
