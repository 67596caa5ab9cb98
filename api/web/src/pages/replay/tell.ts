// What a file says, in words.
import type { ActionKind } from '../../api/generated.ts';
import type { Seat } from '../../board/nodes.ts';
import { pageWords, signed, words } from '../../i18n/index.ts';
import type { FileEvent, FileOutcome, ReplayFile } from '../../replay/format.ts';
import { brief } from '../table/describe.ts';

/** Who sat in a seat at an instant; null where the file does not tell. */
export function whoSat(file: ReplayFile, seat: Seat, at: string | null): string | null {
  const people = file.participants.filter((one) => one.seat === seat);
  if (people.length === 0) return null;
  const time = at ? Date.parse(at) : Number.POSITIVE_INFINITY;
  const sat = people.filter((one) => !one.joinedAt || Date.parse(one.joinedAt) <= time).at(-1) ?? people[0];
  const name = sat?.nickname ?? words().common.erased;
  return sat?.house ? `${name} · ${words().common.house}` : name;
}

/** Whether an event belongs into the short list: people, falls, votes, captures. */
export function isImportant(event: FileEvent): boolean {
  if (event.kind !== 'moved') return event.kind !== 'skipped';
  const { attacker, defender, outcome } = event;
  const gone = [
    outcome === 'defender' || outcome === 'both' ? attacker : null,
    outcome === 'attacker' || outcome === 'both' ? defender : null,
  ];
  return gone.includes('FLAG') || gone.includes('COMMANDER');
}

/** An event in words, without its seat's sign. */
export function eventInWords(event: FileEvent, file: ReplayFile): string {
  const { replay } = pageWords();
  const { table, pieces } = words();
  if (event.kind === 'moved') {
    const piece = event.attacker ? `${pieces.names[event.attacker]} ` : '';
    const parts = [`${piece}${brief(event.from ?? '')} → ${brief(event.to ?? '')}`];
    if (event.outcome && event.outcome !== 'none') {
      const result = table.log.outcome[event.outcome.toUpperCase() as 'ATTACKER' | 'DEFENDER' | 'BOTH'];
      parts.push(event.defender ? `${result} ${pieces.names[event.defender]}` : result);
    }
    return parts.join(' ');
  }
  const kind = event.kind.toUpperCase();
  const name = Object.hasOwn(table.log.actions, kind) ? table.log.actions[kind as ActionKind] : event.kind;
  if (event.kind === 'started' && event.seat) return table.log.first(event.seat);
  if (event.kind === 'draw_voted') return table.log.vote(event.accept ?? false);
  if (event.kind === 'seat_eliminated') {
    const cause = (event.why ?? '').toUpperCase() as 'FLAG_CAPTURED' | 'NO_MOVES' | 'SURRENDER';
    return table.eliminated(cause);
  }
  if (event.kind === 'ended' && file.outcome) return table.log.of(name, outcomeInWords(file.outcome));
  const who = event.seat ? whoSat(file, event.seat, event.at) : null;
  if (event.kind === 'seat_taken_over' && who) return replay.takenOver(who);
  const points = event.points ? ` ${table.log.points(signed(event.points))}` : '';
  return `${who && (event.kind === 'left' || event.kind === 'timed_out') ? `${who} ` : ''}${name}${points}`;
}

/** An outcome in words. */
export function outcomeInWords(outcome: FileOutcome): string {
  const { end } = words().table;
  const by = (outcome.by ?? '').toUpperCase();
  const head =
    outcome.kind === 'win' && outcome.side
      ? end.win(outcome.side)
      : outcome.kind === 'draw'
        ? end.draw
        : end.noResult;
  return Object.hasOwn(end.by, by) ? end.because(head, end.by[by as keyof typeof end.by]) : head;
}
