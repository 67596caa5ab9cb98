// The own record: every change of points, and the matches played.
import { ReadLedgerDocument, ReadResultsDocument } from '../../api/generated.players.ts';
import type { ReadLedgerQuery, ReadResultsQuery } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { sideOf } from '../../board/nodes.ts';
import { fullMoment, plain, signed, words } from '../../i18n/index.ts';
import { people } from '../../i18n/people.ts';
import { viewer } from '../../session.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { useTitle } from '../../ui/title.ts';
import { endInWords } from '../table/ending.ts';
import { type Paged, usePaged } from './pages.ts';
import '../../styles/forms.css';
import '../../styles/ended.css';
import '../../styles/people.css';

type Change = NonNullable<ReadLedgerQuery['viewer']>['points']['edges'][number]['node'];
type Result = NonNullable<ReadResultsQuery['viewer']>['results']['edges'][number]['node'];

/** The page of the own record. */
export function RecordPage() {
  const w = people.words();
  useTitle(w.record);
  const ledger = usePaged<Change>('', async (after) => {
    return (await ask(ReadLedgerDocument, { after })).viewer?.points ?? null;
  });
  const results = usePaged<Result>('', async (after) => {
    return (await ask(ReadResultsDocument, { after })).viewer?.results ?? null;
  });
  return (
    <div class="page people">
      <h1>{w.record}</h1>
      <p class="row">
        <a href={`/player/${viewer.value?.player.id}`}>{w.profile}</a>
        <a href="/leaderboard">{w.leaderboard}</a>
      </p>
      <div class="halves">
        <List heading={w.results} empty={w.nothing} list={results} line={resultLine} />
        <List heading={w.ledger} empty={w.noLedger} list={ledger} line={changeLine} />
      </div>
    </div>
  );
}

interface ListProps<N> {
  heading: string;
  empty: string;
  list: Paged<N>;
  line: (node: N) => preact.ComponentChildren;
}

function List<N>({ heading, empty, list: { rows, more, next }, line }: ListProps<N>) {
  const w = people.words();
  return (
    <section class="card">
      <h2>{heading}</h2>
      {!rows.value && <p class="quiet loading">{words().common.loading}</p>}
      {rows.value?.length === 0 && (
        <>
          <p class="quiet">{empty}</p>
          <a class="button" href="/lobby">
            {w.toLobby}
          </a>
        </>
      )}
      <ul class="lines-list">
        {rows.value?.map((node, i) => (
          <li key={i}>{line(node)}</li>
        ))}
      </ul>
      {more.value && (
        <button type="button" onClick={() => void next()}>
          {w.more}
        </button>
      )}
    </section>
  );
}

function resultLine({ at, seat, joined, cause, result, outcome, points, matchId }: Result) {
  const w = people.words();
  return (
    <>
      <SeatBadge seat={seat} />
      <span class="grow">
        <b>
          {result && outcome
            ? endInWords(outcome, sideOf(seat))
            : result
              ? w.result[result]
              : w.causes[cause]}
        </b>
        {joined === 'TAKEOVER' && <small class="tag">{w.takenOver}</small>}{' '}
        {!result && outcome && endInWords(outcome)}
        <br />
        <small class="quiet">
          {fullMoment(at)} · <a href={`/table/${matchId}`}>{w.table}</a>
        </small>
      </span>
      <span class="number">{signed(points)}</span>
    </>
  );
}

function changeLine({ at, cause, result, points, balance, reason }: Change) {
  const w = people.words();
  return (
    <>
      <span class="grow">
        {w.causes[cause]} {result && w.result[result]} {reason && <small class="quiet">{reason}</small>}
        <br />
        <small class="quiet">{fullMoment(at)}</small>
      </span>
      <span class="number">
        {signed(points)}
        <br />
        <small class="quiet">
          {w.balance} {plain(balance)}
        </small>
      </span>
    </>
  );
}
