// Notices by the browser, while a page is open and the person allowed it. Each is shown once for a person, turn and
// deadline, also with several tabs; what lay there when the page was opened is not.
import type { NoticeLineFragment } from '../api/generated.ts';
import { speakPages, words } from '../i18n/index.ts';
import { go, path } from '../router.ts';
import { viewer } from '../session.ts';
import { claimAmongTabs } from './claims.ts';
import { inWords, nameOf, wayOf } from './tell.ts';

/** Whose notices this page has heard of, and which. */
let whose: string | undefined;
let heard = new Set<string>();

/** The notices that came while the page was open and are unread, the oldest first. What lay there is not new. */
function fresh(me: string, latest: readonly NoticeLineFragment[]): readonly NoticeLineFragment[] {
  const before = me === whose ? heard : null;
  whose = me;
  heard = new Set([...(before ?? []), ...latest.map(({ id }) => id)]);
  return latest.filter(({ id, read }) => before && !before.has(id) && !read).toReversed();
}

/** Whether the person looks at that table already. */
const looksAt = (notice: NoticeLineFragment): boolean =>
  document.visibilityState === 'visible' && wayOf(notice) === path.value;

/** Shows what is new. */
export async function show(latest: readonly NoticeLineFragment[]): Promise<void> {
  const me = viewer.peek()?.player.id;
  const found = me ? fresh(me, latest) : [];
  if (!me || found.length === 0) return;
  await speakPages();
  const free = new Set(await claimAmongTabs(found.map((notice) => nameOf(me, notice))));
  for (const notice of found) {
    const tag = nameOf(me, notice);
    if (free.delete(tag) && !looksAt(notice)) await tell(inWords(notice), tag, wayOf(notice));
  }
}

/** Shows one by the service worker, where phones want it, or by the page. */
async function tell(body: string, tag: string, way: string | null): Promise<void> {
  const options = { body, tag, icon: '/favicon.svg', lang: document.documentElement.lang, data: way };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker?.active) {
    await worker.showNotification(words().title, options);
    return;
  }
  const shown = new Notification(words().title, options);
  shown.onclick = () => {
    focus();
    if (way) go(way);
    shown.close();
  };
}
