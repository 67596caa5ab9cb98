// A public action in words.
import type { ActionFragment } from '../../api/generated.ts';
import { moment, signed, words } from '../../i18n/index.ts';
import { brief } from './describe.ts';
import { endInWords } from './ending.ts';
import { nameThen } from './people.ts';

type Told = Pick<ActionFragment, 'kind'> & Partial<ActionFragment>;

/** An action in words, without its seat's sign. */
export function logLine(action: Told): string {
  const { log } = words().table;
  const { move } = action;
  if (action.kind === 'MOVED' && move) {
    const parts = [log.move(brief(move.from), brief(move.to))];
    if (move.captured) parts.push(log.captured(move.captured));
    else if (move.outcome !== 'NONE') parts.push(log.outcome[move.outcome]);
    for (const flag of move.revealed) parts.push(log.revealed(flag.seat));
    return parts.join(' ');
  }
  const name = log.actions[action.kind];
  if (action.kind === 'TEAM_SURRENDER_CONFIRMED' && action.side)
    return log.of(words().sides[action.side], name);
  if (action.kind === 'STARTED' && action.seat) return log.first(action.seat);
  if (action.kind === 'DRAW_VOTED') return log.vote(action.accept ?? false);
  if (action.kind === 'DRAW_LAPSED' && action.lapseReason) return log.of(name, log.lapse[action.lapseReason]);
  if (action.kind === 'SEAT_ELIMINATED' && action.cause) return words().table.eliminated(action.cause);
  if (action.kind === 'ENDED' && action.outcome) return log.of(name, endInWords(action.outcome));
  const who = action.person ? `${nameThen(action.person)} ` : '';
  const points = action.points ? ` ${log.points(signed(action.points))}` : '';
  const until = action.deadline ? ` ${words().table.deadline(moment(action.deadline))}` : '';
  return `${who}${name}${points}${until}`;
}

/** A move in words, with whose it was. */
export function moveLine(move: NonNullable<ActionFragment['move']>): string {
  const { table, seats } = words();
  return table.log.of(seats[move.seat], logLine({ kind: 'MOVED', move }));
}
