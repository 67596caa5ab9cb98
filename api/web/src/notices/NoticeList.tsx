// The latest notices with their way to the table, and marking them read.
import { useSignal } from '@preact/signals';
import type { NoticeLineFragment } from '../api/generated.ts';
import { fullMoment, pageWords } from '../i18n/index.ts';
import { notices } from '../session.ts';
import { SeatBadge } from '../ui/SeatBadge.tsx';
import { markRead } from './read.ts';
import { inWords, wayOf } from './tell.ts';
import '../styles/notices.css';

interface Props {
  /** How many lines at most. */
  most: number;
  /** Older ones, read by the page. */
  older?: readonly NoticeLineFragment[];
}

/** The list. */
export function NoticeList({ most, older = [] }: Props) {
  const { notices: w } = pageWords();
  const busy = useSignal(false);
  const now = notices.value;
  const latest = now?.latest ?? [];
  const known = new Set(latest.map(({ id }) => id));
  const lines = [...latest, ...older.filter(({ id }) => !known.has(id))].slice(0, most);
  const read = async () => {
    busy.value = true;
    await markRead(null);
    busy.value = false;
  };
  return (
    <>
      <div class="row between">
        <h2>
          {w.heading} {now && now.unread > 0 && <small>{w.unread(now.unread)}</small>}
        </h2>
        {now && now.unread > 0 && (
          <button type="button" class="small" onClick={read} disabled={busy.value}>
            {w.readAll}
          </button>
        )}
      </div>
      {lines.length === 0 && <p class="quiet">{w.empty}</p>}
      <ul class="plain notice-lines">
        {lines.map((notice) => (
          <li key={notice.id}>
            <Line notice={notice} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Line({ notice }: { notice: NoticeLineFragment }) {
  const { notices: w } = pageWords();
  const way = wayOf(notice);
  const inside = (
    <>
      <span class="grow">
        {notice.seat && <SeatBadge seat={notice.seat} />} {inWords(notice)}
        {!notice.read && <span class="unseen">{w.isUnread}</span>}
        {notice.done && <small>{w.isDone}</small>}
      </span>
      <time dateTime={notice.at}>{fullMoment(notice.at)}</time>
    </>
  );
  const look = `notice-line${notice.read ? '' : ' new'}${notice.done ? ' done' : ''}`;
  return way ? (
    <a class={look} href={way} onClick={() => void markRead(notice.id)}>
      {inside}
    </a>
  ) : (
    <div class={look}>{inside}</div>
  );
}
