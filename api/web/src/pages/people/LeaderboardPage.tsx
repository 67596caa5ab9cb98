// The leaderboard: of all time or of 30 days, by points or by wins.
import { useSignal } from '@preact/signals';
import { ReadLeaderboardDocument } from '../../api/generated.players.ts';
import type { LeaderboardOrder, LeaderboardPeriod } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { plain, words } from '../../i18n/index.ts';
import { people } from '../../i18n/people.ts';
import { viewer } from '../../session.ts';
import { useTitle } from '../../ui/title.ts';
import { usePaged } from './pages.ts';
import { Segments } from './Segments.tsx';
import '../../styles/forms.css';
import '../../styles/people.css';

const PERIODS: readonly LeaderboardPeriod[] = ['ALL_TIME', 'THIRTY_DAYS'];
const ORDERS: readonly LeaderboardOrder[] = ['POINTS', 'WINS'];
/** Has columns of its own where there is room, else a line under the name. */
const REST = ['losses', 'draws', 'leaves', 'timeouts'] as const;

/** The page of the leaderboard. */
export function LeaderboardPage() {
  const w = people.words();
  useTitle(w.leaderboard);
  const period = useSignal<LeaderboardPeriod>('ALL_TIME');
  const order = useSignal<LeaderboardOrder>('POINTS');
  const count = useSignal(0);
  const { rows, more, next } = usePaged(`${period.value} ${order.value}`, async (after) => {
    const choice = { period: period.value, order: order.value, after };
    const { leaderboard } = await ask(ReadLeaderboardDocument, choice);
    count.value = leaderboard?.totalCount ?? 0;
    return leaderboard;
  });
  const me = viewer.value?.player.id;
  return (
    <div class="page people">
      <h1>{w.leaderboard}</h1>
      <div class="row">
        <Segments label={w.period} names={w.periods} all={PERIODS} chosen={period} />
        <Segments label={w.order} names={w.orders} all={ORDERS} chosen={order} />
        <a class="to-record" href="/record">
          {w.record}
        </a>
      </div>
      {!rows.value && <p class="quiet loading">{words().common.loading}</p>}
      {rows.value?.length === 0 && (
        <section class="card empty">
          <p>{w.nobody}</p>
          <a class="button main" href="/lobby">
            {w.toLobby}
          </a>
        </section>
      )}
      {rows.value && rows.value.length > 0 && (
        <section class="card wide-table" tabIndex={0} aria-label={w.leaderboard}>
          <table>
            <caption>
              {w.periods[period.value]} · {w.players(count.value)}
            </caption>
            <thead>
              <tr>
                <th scope="col">{w.rank}</th>
                <th scope="col">{w.name}</th>
                <th scope="col">{w.points}</th>
                <th scope="col">{w.wins}</th>
                {REST.map((name) => (
                  <th key={name} scope="col" class="rest">
                    {w[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.value.map(({ rank, player, statistics: s }) => (
                <tr key={player.id} class={player.id === me ? 'me' : undefined}>
                  <td>{rank}</td>
                  <th scope="row">
                    <a href={`/player/${player.id}`}>{player.nickname ?? words().common.erased}</a>
                    <small class="rest-here">
                      {REST.map((name) => (
                        <span key={name}>
                          {w[name]} {s[name]}
                        </span>
                      ))}
                    </small>
                  </th>
                  <td>{plain(s.points)}</td>
                  <td>{s.wins}</td>
                  {REST.map((name) => (
                    <td key={name} class="rest">
                      {s[name]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {more.value && (
        <button type="button" onClick={() => void next()}>
          {w.more}
        </button>
      )}
    </div>
  );
}
