// Who did what when, the latest first.
import { ReadTrailDocument } from '../../api/generated.adminTrail.ts';
import type { ReadTrailQuery } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { admin } from '../../i18n/admin.ts';
import { fullMoment, words } from '../../i18n/index.ts';
import { usePaged } from '../people/pages.ts';

type Entry = NonNullable<ReadTrailQuery['admin']>['trail']['edges'][number]['node'];

/** The trail. */
export function Trail() {
  const w = admin.words();
  const { rows, more, next } = usePaged<Entry>('', async (after) => {
    return (await ask(ReadTrailDocument, { after })).admin?.trail ?? null;
  });
  return (
    <section class="card">
      <h2>{w.trail.heading}</h2>
      {rows.value?.length === 0 && <p class="quiet">{w.trail.empty}</p>}
      <ul class="lines-list">
        {rows.value?.map(({ at, by, command, event, reason, matchId, player }, i) => (
          <li key={i}>
            <time dateTime={at} class="quiet">
              {fullMoment(at)}
            </time>
            <span class="grow">
              <b>{by ? (by.nickname ?? words().common.erased) : w.trail.operator}</b>{' '}
              <span title={event}>{w.trail.commands[command] ?? command}</span>{' '}
              {player && <a href={`/player/${player.id}`}>{player.nickname ?? words().common.erased}</a>}{' '}
              {matchId && <code>{matchId}</code>}
              {reason && (
                <>
                  <br />
                  <small class="quiet">{reason}</small>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      {more.value && (
        <button type="button" onClick={() => void next()}>
          {w.trail.more}
        </button>
      )}
    </section>
  );
}
