// All notices, a page at a time; the latest are live.
import { ReadNoticesDocument } from '../../api/generated.notices.ts';
import { ask } from '../../api/http.ts';
import { pageWords, words } from '../../i18n/index.ts';
import { NoticeList } from '../../notices/NoticeList.tsx';
import { notices } from '../../session.ts';
import { useTitle } from '../../ui/title.ts';
import { usePaged } from '../people/pages.ts';

const PAGE = 50;

/** The page of notices. */
export function NoticesPage() {
  const { notices: w } = pageWords();
  useTitle(w.heading);
  const { rows, more, next } = usePaged('', async (after) => {
    return (await ask(ReadNoticesDocument, { after, first: PAGE })).notices;
  });
  return (
    <div class="page narrow">
      <h1>{w.heading}</h1>
      <section class="card">
        {rows.value || notices.value ? (
          <NoticeList most={Number.POSITIVE_INFINITY} older={rows.value ?? []} />
        ) : (
          <p class="quiet loading">{words().common.loading}</p>
        )}
        {more.value && (
          <button type="button" onClick={() => void next()}>
            {w.more}
          </button>
        )}
      </section>
    </div>
  );
}
