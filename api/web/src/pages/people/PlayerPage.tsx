// What everybody may know of a player.
import { useSignal } from '@preact/signals';
import { ReadPlayerDocument } from '../../api/generated.players.ts';
import type { ReadPlayerQuery } from '../../api/generated.ts';
import { ask, Fault } from '../../api/http.ts';
import { words } from '../../i18n/index.ts';
import { people } from '../../i18n/people.ts';
import { viewer } from '../../session.ts';
import { useLoad } from '../../ui/load.ts';
import { useTitle } from '../../ui/title.ts';
import { sayFault } from '../../ui/toasts.tsx';
import { Figures } from './Figures.tsx';
import '../../styles/forms.css';
import '../../styles/people.css';

/** The page of a player. */
export function PlayerPage({ id }: { id: string }) {
  const w = people.words();
  const { common } = words();
  const profile = useSignal<ReadPlayerQuery['player'] | undefined>(undefined);
  const read = () =>
    ask(ReadPlayerDocument, { id })
      .then(({ player }) => {
        profile.value = player;
      })
      .catch((fault: unknown) => {
        if (fault instanceof Fault && fault.code !== 'NETWORK') profile.value = null;
        else sayFault(fault);
      });
  useLoad(read, () => profile.peek() === undefined, [id]);
  const found = profile.value;
  const name = found ? (found.player.nickname ?? common.erased) : w.profile;
  useTitle(name);
  if (found === undefined) return <p class="page quiet loading">{common.loading}</p>;
  if (found === null) {
    return (
      <div class="page narrow centred">
        <h1>{w.missing}</h1>
        <a class="button main" href="/leaderboard">
          {w.toBoard}
        </a>
      </div>
    );
  }
  return (
    <div class="page people">
      <h1>
        {name}
        {found.player.house && <small class="tag">{common.house}</small>}
      </h1>
      {found.player.house && <p class="quiet">{w.house}</p>}
      <div class="halves">
        <section class="card">
          <h2>
            {w.periods.ALL_TIME} <small>{found.rank ? w.ranked(found.rank) : w.unranked}</small>
          </h2>
          <Figures of={found.statistics} />
        </section>
        <section class="card">
          <h2>
            {w.periods.THIRTY_DAYS}{' '}
            <small>{found.rankRecently ? w.ranked(found.rankRecently) : w.unranked}</small>
          </h2>
          <Figures of={found.recently} />
        </section>
      </div>
      <p class="row ways-out">
        <a href="/leaderboard">{w.toBoard}</a>
        {viewer.value?.player.id === found.player.id && <a href="/record">{w.record}</a>}
      </p>
    </div>
  );
}
