// What a file says, in words.
import type { ActionKind } from '../../api/generated.ts';
import type { Seat } from '../../board/nodes.ts';
import { pageWords, signed, words } from '../../i18n/index.ts';
import type { FileEvent, FileOutcome, ReplayFile } from '../../replay/format.ts';
import { isolated } from '../../ui/isolate.ts';
import { brief } from '../table/describe.ts';
import { resultInWords } from '../table/ending.ts';

/** Who sat in a seat at an instant; null where the file does not tell. */
export function whoSat(file: ReplayFile, seat: Seat, at: string | null): string | null {
  const people = file.participants.filter((one) => one.seat === seat);
  if (people.length === 0) return null;
  const time = at ? Date.parse(at) : Number.POSITIVE_INFINITY;
  const sat = people.filter((one) => !one.joinedAt || Date.parse(one.joinedAt) <= time).at(-1) ?? people[0];
  const name = isolated(sat?.nickname ?? words().common.erased);
  return sat?.house ? `${name} · ${words().common.house}` : name;
}

/** Who left before the end, or ran out of time, in the file's order, each with the points of it. */
export function leavers({ participants, complete }: ReplayFile) {
  return participants
    .filter((one) => one.leftAt !== null)
    .map(({ seat, nickname, house, joined, leftWhy }) => ({
      seat,
      nickname,
      house,
      takeover: joined === 'takeover',
      why: leftWhy === 'left' ? ('LEFT' as const) : ('TIMED_OUT' as const),
      points: complete?.rules.points.departure ?? 0,
    }));
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
    for (const [seat] of event.revealed ?? []) parts.push(table.log.revealed(seat));
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
  if (event.kind === 'team_surrender_confirmed' && event.side)
    return table.log.of(words().sides[event.side], name);
  if (event.kind === 'ended' && file.outcome) return table.log.of(name, outcomeInWords(file.outcome));
  const who = event.seat ? whoSat(file, event.seat, event.at) : null;
  if (event.kind === 'seat_taken_over' && who) return replay.takenOver(who);
  const points = event.points ? ` ${table.log.points(signed(event.points))}` : '';
  return `${who && (event.kind === 'left' || event.kind === 'timed_out') ? `${who} ` : ''}${name}${points}`;
}

/** An outcome in words, from nobody's view. */
export function outcomeInWords({ kind, side, by }: FileOutcome): string {
  const reasons = words().table.end.by;
  const known = Object.keys(reasons).find((one) => one === by?.toUpperCase()) as keyof typeof reasons;
  return resultInWords(kind === 'draw' ? 'DRAW' : 'NO_RESULT', kind === 'win' ? side : null, known ?? null);
}

/** Ids of positions and seats that a fault tells, as the pages call them. */
export const named = (text: string): string =>
  text.replace(/\b[senwc]\d\d\b/g, brief).replace(/^[SENW]$/, (seat) => words().seats[seat as Seat]);
