// One own table in the lobby: what it waits for and until when, and by what a person knows it from the others.
import type { LobbyRowFragment, Seat } from '../../api/generated.ts';
import { sideOf } from '../../board/nodes.ts';
import { left } from '../../clock.ts';
import { fullMoment, moment, pageWords, words } from '../../i18n/index.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { endInWords } from '../table/ending.ts';

/** Who sits opposite plays on the same side. */
const MATES: Record<Seat, Seat> = { S: 'N', N: 'S', E: 'W', W: 'E' };

function what(row: LobbyRowFragment): string {
  const { lobby: w } = pageWords();
  if (row.phase === 'ENDED') return row.outcome ? endInWords(row.outcome, sideOf(row.seat)) : '';
  if (row.phase === 'ASSEMBLING') {
    return `${row.arranging ? w.arranging : w.ready} · ${w.taken(row.seatsTaken, row.seatsReady)}`;
  }
  if (row.role === 'CANDIDATE') return w.candidate(row.seat);
  const asked = [
    row.drawWaiting ? w.drawWaiting : '',
    row.teamSurrenderWaiting ? w.surrenderWaiting : '',
  ].filter(Boolean);
  if (row.myTurn) return [w.yourTurn, ...asked].join(' · ');
  if (row.role === 'ELIMINATED') return w.eliminated;
  if (asked.length) return asked.join(' · ');
  if (!row.turn) return '';
  return row.turnKind === 'VACANT' ? w.vacantOf(row.turn) : w.turnOf(row.turn);
}

/** Since when, and how far it has come. */
function age({ openedAt, startedAt, endedAt, turnNumber }: LobbyRowFragment): string {
  const { lobby: w } = pageWords();
  if (endedAt) return `${w.ended(fullMoment(endedAt))} · ${w.turns(turnNumber)}`;
  if (!startedAt) return w.opened(moment(openedAt));
  return `${w.started(moment(startedAt))} · ${w.turn(turnNumber)}`;
}

/** The others at the table: the team-mate, then the opponents. Nobody is named before the start. */
function Others({ row }: { row: LobbyRowFragment }) {
  const { lobby: w } = pageWords();
  const { table, common } = words();
  if (!row.startedAt) return null;
  const others = row.seats.filter(({ seat }) => seat !== row.seat);
  const group = (name: string, mates: boolean) => (
    <span>
      {name}
      {others
        .filter(({ seat }) => (seat === MATES[row.seat]) === mates)
        .map(({ seat, person }) => (
          <span key={seat} class="who">
            <SeatBadge seat={seat} />
            <bdi>{person ? (person.player.nickname ?? common.erased) : table.vacant}</bdi>
            {person?.house && <small class="tag">{common.house}</small>}
          </span>
        ))}
    </span>
  );
  return (
    <span class="others quiet">
      {group(w.mate, true)}
      {group(w.enemies, false)}
    </span>
  );
}

/** A link to the table. */
export function TableRow({ row }: { row: LobbyRowFragment }) {
  const { lobby: w } = pageWords();
  const running = row.deadline && row.phase !== 'ENDED' ? row.deadline : null;
  const remaining = running ? left(running) : 0;
  return (
    <a class={`card line-card ${row.waitsForMe ? 'waits' : ''}`} href={`/table/${row.matchId}`}>
      <SeatBadge seat={row.seat} />
      <b class="what">{what(row)}</b>
      <Others row={row} />
      <small>{age(row)}</small>
      {running && (
        <span class={remaining < 3_600_000 ? 'due soon' : 'due'}>
          <b>{w.left(remaining)}</b>
          <time dateTime={running}>{w.until(moment(running))}</time>
        </span>
      )}
    </a>
  );
}
