// What a new snapshot means for ears: words for screen readers, tones for those who want them.
import type { TableFragment } from '../../api/generated.ts';
import { words } from '../../i18n/index.ts';
import { settings } from '../../settings.ts';
import { announce } from '../../ui/toasts.tsx';
import { endInWords } from './ending.ts';
import { moveLine } from './logLine.ts';

type Tone = Parameters<typeof import('../../ui/sound.ts').sound>[0];

/** Most people have no sound: the tones are read by those who have. */
function sound(tone: Tone): void {
  if (settings.value.sound) void import('../../ui/sound.ts').then((tones) => tones.sound(tone));
}

/** Tells of the difference between two snapshots. */
export function arrived(before: TableFragment, now: TableFragment): void {
  const { table, board } = words();
  const parts: string[] = [];
  const move = now.lastMove;
  if (move && move.turn !== before.lastMove?.turn) {
    parts.push(moveLine(move));
    sound(move.outcome !== 'NONE' ? 'battle' : move.seat === now.mySeat ? 'own' : 'other');
  }
  if (now.myTurn && (!before.myTurn || now.turn?.number !== before.turn?.number)) {
    parts.push(table.moveNow);
    sound('turn');
  }
  if (now.phase === 'ENDED' && before.phase !== 'ENDED')
    parts.push(table.status.ended, now.outcome ? endInWords(now.outcome, now.mySide) : '');
  // What was said of a turn is not left standing when it is over.
  if (parts.length || (before.myTurn && !now.myTurn)) announce(parts.join(board.join));
}
