// One own table in the lobby: what it waits for, and until when.
import type { LobbyRowFragment } from '../../api/generated.ts';
import { left } from '../../clock.ts';
import { fullMoment, moment, pageWords } from '../../i18n/index.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';

function what(row: LobbyRowFragment): string {
  const { lobby: w } = pageWords();
  if (row.phase === 'ENDED') return row.endedAt ? w.ended(fullMoment(row.endedAt)) : '';
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

/** A link to the table. */
export function TableRow({ row }: { row: LobbyRowFragment }) {
  const { lobby: w } = pageWords();
  const running = row.deadline && row.phase !== 'ENDED' ? row.deadline : null;
  const remaining = running ? left(running) : 0;
  return (
    <a class={`card line-card ${row.waitsForMe ? 'waits' : ''}`} href={`/table/${row.matchId}`}>
      <SeatBadge seat={row.seat} />
      <span class="grow">{what(row)}</span>
      {running && (
        <span class={remaining < 3_600_000 ? 'due soon' : 'due'}>
          <b>{w.left(remaining)}</b>
          <time dateTime={running}>{w.until(moment(running))}</time>
        </span>
      )}
    </a>
  );
}
