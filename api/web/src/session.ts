// Who is logged in, what waits for them, and what everybody is told. The only place that changes any of it.
import { effect, signal } from '@preact/signals';
import {
  type LobbyStateFragment,
  type MeFragment,
  ReadViewerDocument,
  type ReadViewerQuery,
  WatchLobbyDocument,
  WatchNoticesDocument,
  type WatchNoticesSubscription,
} from './api/generated.ts';
import { ask } from './api/http.ts';
import { hangUp, onSessionEnded, watch } from './api/live.ts';
import { setServerTime } from './clock.ts';
import { go } from './router.ts';
import { keep, recall } from './ui/store.ts';

/** Whoever is logged in; null for nobody, undefined until the server said. */
export const viewer = signal<MeFragment | null | undefined>(undefined);
/** The viewer's lobby, live; null until it came. */
export const lobby = signal<LobbyStateFragment | null>(null);
/** The viewer's latest notices and how many are unread, live; null until they came. */
export const notices = signal<WatchNoticesSubscription['notices'] | null>(null);
/** What the administrators announce to everybody. */
export const announcement = signal<ReadViewerQuery['announcement']>(null);
/** Whether the server could not be asked who is logged in. */
export const unreachable = signal(false);

/** Whether the login ended without the person logging out here. */
export const ended = signal(false);

/** Where somebody wanted to go before logging in. */
export const wanted = signal('/lobby');

/** How long until a server that was not reached is asked again, in milliseconds. */
const AGAIN_MS = 15_000;
let again = 0;

/** Asks the server who is logged in, and what is announced. */
export async function refresh(): Promise<void> {
  clearTimeout(again);
  try {
    const answer = await ask(ReadViewerDocument, {});
    viewer.value = answer.viewer;
    announcement.value = answer.announcement;
    unreachable.value = false;
  } catch {
    unreachable.value = true;
    again = window.setTimeout(refresh, AGAIN_MS);
  }
}

/** Takes over what a login or a registration answered, and goes where the person wanted to go. */
export function enter(me: MeFragment): void {
  hangUp();
  viewer.value = me;
  ended.value = false;
  go(wanted.value);
  wanted.value = '/lobby';
}

/** Takes over that the person logged out. */
export function leave(): void {
  hangUp();
  keep('in', false);
  viewer.value = null;
  ended.value = false;
}

onSessionEnded.call = () => {
  viewer.value = null;
};

/** How often an open page asks anew what is announced, in milliseconds. */
const LOOK_MS = 600_000;

/** Keeps lobby, notices and announcement up to date. */
export function follow(): void {
  let stops: (() => void)[] = [];
  let whose: string | undefined;
  effect(() => {
    const id = viewer.value?.player.id;
    // What the browser remembers tells an ended login from none, after a reload, too.
    if (viewer.value === null && recall('in', false)) ended.value = true;
    if (viewer.value !== undefined) keep('in', !!id);
    if (id === whose) return;
    whose = id;
    for (const stop of stops) stop();
    lobby.value = null;
    notices.value = null;
    stops = id
      ? [
          watch(WatchLobbyDocument, {}, (data) => {
            setServerTime(data.lobby.now);
            lobby.value = data.lobby;
          }),
          watch(WatchNoticesDocument, {}, (data) => {
            notices.value = data.notices;
          }),
        ]
      : [];
  });
  addEventListener('online', () => void refresh());
  setInterval(() => {
    if (!document.hidden) void refresh();
  }, LOOK_MS);
}
