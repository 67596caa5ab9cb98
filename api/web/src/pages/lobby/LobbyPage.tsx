// The lobby: own tables, those that wait first, and matching. Who sits nowhere finds matching and the hint first.
import { useSignal } from '@preact/signals';
import type { LobbyRowFragment, LobbyStateFragment } from '../../api/generated.ts';
import { pageWords, words } from '../../i18n/index.ts';
import { NoticeList } from '../../notices/NoticeList.tsx';
import { viewer } from '../../session.ts';
import { useTitle } from '../../ui/title.ts';
import { LobbyHint } from './LobbyHint.tsx';
import { Matching } from './Matching.tsx';
import { useLobby } from './state.ts';
import { TableRow } from './TableRow.tsx';
import '../../styles/home.css';

/** The lobby. */
export function LobbyPage() {
  const { lobby: w } = pageWords();
  useTitle(w.heading);
  const busy = useSignal(false);
  const state = useLobby();
  const held = !!state?.tables.length;
  const matching = state && <Matching state={state} busy={busy} />;
  const hint = state && <LobbyHint vacancies={state.vacancies} />;
  return (
    <div class="page lobby">
      <h1>{w.heading}</h1>
      {state ? (
        <div class="halls">
          <div class="tables">
            {!held && matching}
            {!held && hint}
            <Lists state={state} />
            {held && hint}
          </div>
          <div class="beside">
            {held && matching}
            <section class="card">
              <NoticeList most={5} />
              <p>
                <a href="/notices">{pageWords().notices.all}</a>
              </p>
            </section>
            <nav class="ways" aria-label={w.ways}>
              <a href="/leaderboard">{w.leaderboard}</a>
              <a href="/record">{w.record}</a>
              {viewer.value?.isAdmin && <a href="/admin">{w.admin}</a>}
            </nav>
          </div>
        </div>
      ) : (
        <p class="quiet loading">{words().common.loading}</p>
      )}
    </div>
  );
}

function Lists({ state }: { state: LobbyStateFragment }) {
  const { lobby: w } = pageWords();
  const waiting = state.tables.filter((table) => table.waitsForMe);
  const others = state.tables.filter((table) => !table.waitsForMe);
  return (
    <>
      {state.tables.length + state.endedTables.length === 0 && (
        <section class="card empty">
          <h2>{w.emptyHeading}</h2>
          <p>{w.empty}</p>
          <p>
            <a href="/manual">{pageWords().home.manual}</a>
          </p>
        </section>
      )}
      <Rows heading={w.waitsHeading} rows={waiting} loud />
      <Rows heading={w.othersHeading} rows={others} />
      <Rows heading={w.endedHeading} rows={state.endedTables} />
    </>
  );
}

function Rows({
  heading,
  rows,
  loud,
}: {
  heading: string;
  rows: readonly LobbyRowFragment[];
  loud?: boolean;
}) {
  if (rows.length === 0) return null;
  return (
    <section class={loud ? 'rows loud' : 'rows'}>
      <h2>
        {heading} <small>{rows.length}</small>
      </h2>
      <ul class="plain">
        {rows.map((row) => (
          <li key={`${row.matchId}${row.role}`}>
            <TableRow row={row} />
          </li>
        ))}
      </ul>
    </section>
  );
}
