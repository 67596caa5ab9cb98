// All notices, a page at a time; the latest are live.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ReadNoticesDocument } from '../../api/generated.notices.ts';
import type { NoticeLineFragment } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { pageWords } from '../../i18n/index.ts';
import { NoticeList } from '../../notices/NoticeList.tsx';
import { useTitle } from '../../ui/title.ts';
import { sayFault } from '../../ui/toasts.tsx';

const PAGE = 50;

/** The page of notices. */
export function NoticesPage() {
  const { notices: w } = pageWords();
  useTitle(w.heading);
  const older = useSignal<readonly NoticeLineFragment[]>([]);
  /** Where the next page begins; null when there is none. */
  const next = useSignal<string | null>(null);
  const read = async (after: string | null) => {
    try {
      const { notices: page } = await ask(ReadNoticesDocument, { after, first: PAGE });
      if (!page) return;
      older.value = [...older.value, ...page.edges.map(({ node }) => node)];
      next.value = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
    } catch (fault) {
      sayFault(fault);
    }
  };
  useEffect(() => {
    void read(null);
  }, []);
  return (
    <div class="page narrow">
      <h1>{w.heading}</h1>
      <section class="card">
        <NoticeList most={Number.POSITIVE_INFINITY} older={older.value} />
        {next.value && (
          <button type="button" onClick={() => void read(next.value)}>
            {w.more}
          </button>
        )}
      </section>
    </div>
  );
}
