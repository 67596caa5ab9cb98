// The administrators' page: how the site does, its settings, finding a match or a player, and who did what. To everybody
// else it is a page that does not exist.
import { useSignal } from '@preact/signals';
import { ReadAdminDocument } from '../../api/generated.admin.ts';
import type { ReadAdminQuery, SiteFragment } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { admin } from '../../i18n/admin.ts';
import { words } from '../../i18n/index.ts';
import { useLoad } from '../../ui/load.ts';
import { useTitle } from '../../ui/title.ts';
import { sayFault } from '../../ui/toasts.tsx';
import { FindMatch } from './FindMatch.tsx';
import { FindPlayer } from './FindPlayer.tsx';
import { Health } from './Health.tsx';
import { SiteSection } from './SiteSection.tsx';
import { Trail } from './Trail.tsx';
import '../../styles/forms.css';
import '../../styles/people.css';

/** The page. */
export function AdminPage() {
  const w = admin.words();
  useTitle(w.heading);
  const now = useSignal<ReadAdminQuery['admin']>(null);
  /** Counts what was done, so that the trail is read anew. */
  const done = useSignal(0);
  const read = async () => {
    try {
      now.value = (await ask(ReadAdminDocument, {})).admin;
    } catch (fault) {
      sayFault(fault);
    }
  };
  useLoad(read, () => now.peek() === null, []);
  const acted = (settings?: SiteFragment | null) => {
    if (settings && now.value) now.value = { ...now.value, settings };
    done.value += 1;
  };
  return (
    <div class="page admin">
      <h1>{w.heading}</h1>
      {now.value ? (
        <>
          <Health now={now.value} onRefresh={() => void read()} />
          <SiteSection site={now.value.settings} onDone={acted} />
          <div class="halves">
            <FindMatch onDone={acted} />
            <FindPlayer onDone={acted} />
          </div>
          <Trail key={done.value} />
        </>
      ) : (
        <p class="quiet loading">{words().common.loading}</p>
      )}
    </div>
  );
}
