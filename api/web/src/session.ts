// Who is logged in, what waits for them, and what everybody is told: the same in all tabs of a browser, which share the
// cookie. The only place that changes any of it.
import { effect, signal } from '@preact/signals';
import {
  type MeFragment,
  ReadViewerDocument,
  type ReadViewerQuery,
  WatchNoticesDocument,
  type WatchNoticesSubscription,
  WatchWaitingDocument,
} from './api/generated.ts';
import { ask } from './api/http.ts';
import { hangUp, onSessionEnded, watch } from './api/live.ts';
import { setServerTime } from './clock.ts';
import { hear, tell } from './tabs.ts';
import { keep, recall } from './ui/store.ts';

/** Whoever is logged in; null for nobody, undefined until the server said. */
export const viewer = signal<MeFragment | null | undefined>(undefined);
/** How many of the viewer's tables wait for the viewer, live. */
export const waiting = signal(0);
/** The viewer's latest notices and how many are unread, live; null until they came. */
export const notices = signal<WatchNoticesSubscription['notices'] | null>(null);
/** What the administrators announce to everybody. */
export const announcement = signal<ReadViewerQuery['announcement']>(null);
/** Whether the server could not be asked who is logged in. */
export const unreachable = signal(false);

/** Whether the login is offered: who opened the page without a network may be logged in. */
export const stranger = (): boolean => viewer.value === null || (!viewer.value && !unreachable.value);

/** Whether the login ended without the person logging out here. */
export const ended = signal(false);

const HOME = '/lobby';
/** Where somebody wanted to go before logging in. */
export const wanted = signal(HOME);

/** How long until a server that was not reached is asked again, in milliseconds. */
const AGAIN_MS = 15_000;
let again = 0;
/** Counts what is newer than an answer that is still on its way. */
let asked = 0;

/** Whoever was logged in here last. */
let before: string | undefined;

/** Takes over who is logged in. What was open for somebody else is closed. */
function take(me: MeFragment | null): void {
  asked += 1;
  const id = me?.player.id;
  if (id !== viewer.peek()?.player.id) hangUp();
  // Where one person was is no way for another.
  if (id && before && id !== before) wanted.value = HOME;
  before = id ?? before;
  viewer.value = me;
}

/** Asks the server who is logged in, and what is announced. */
export async function refresh(): Promise<void> {
  clearTimeout(again);
  asked += 1;
  const mine = asked;
  try {
    const answer = await ask(ReadViewerDocument, {});
    if (mine === asked) take(answer.viewer);
    announcement.value = answer.announcement;
    unreachable.value = false;
  } catch {
    unreachable.value = true;
    again = window.setTimeout(refresh, AGAIN_MS);
  }
}

/** Takes over what a login or a registration answered. */
export function enter(me: MeFragment): void {
  take(me);
  ended.value = false;
  tell('session', 'entered');
}

/** Takes over that the person logged out. */
export function leave(): void {
  keep('in', false);
  take(null);
  ended.value = false;
  tell('session', 'left');
}

onSessionEnded.call = () => take(null);

/** Puts the announcement away, in every tab. */
export function putAway(since: string): void {
  keep('announced', since);
  announcement.value = null;
  tell('announced', since);
}

/** How often a visitor's open page asks anew what is announced, in milliseconds. Whoever is logged in is told. */
const LOOK_MS = 60_000;

/** Keeps the viewer, what waits, notices and announcement up to date. */
export function follow(): void {
  let stops: (() => void)[] = [];
  let whose: string | undefined;
  effect(() => {
    const id = viewer.value?.player.id;
    // What the browser remembers until somebody logs out tells an ended login from none, in every tab.
    if (id) keep('in', true);
    else if (viewer.value === null && recall('in', false)) ended.value = true;
    if (id === whose) return;
    whose = id;
    for (const stop of stops) stop();
    waiting.value = 0;
    notices.value = null;
    stops = id
      ? [
          watch(WatchWaitingDocument, {}, ({ lobby: { now, tables } }) => {
            setServerTime(now);
            waiting.value = tables.filter((table) => table.waitsForMe).length;
          }),
          watch(WatchNoticesDocument, {}, (data) => {
            notices.value = data.notices;
            announcement.value = data.notices.announcement;
          }),
        ]
      : [];
  });
  hear('session', (what) => {
    if (what === 'left') ended.value = false;
    void refresh();
  });
  hear('announced', (since) => {
    if (announcement.peek()?.since === since) announcement.value = null;
  });
  addEventListener('online', () => void refresh());
  setInterval(() => {
    if (!document.hidden && !viewer.value) void refresh();
  }, LOOK_MS);
}
