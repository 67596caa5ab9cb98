// Who is logged in, and what waits for them. The only place that changes either.
import { effect, signal } from '@preact/signals';
import {
  type LobbyStateFragment,
  LogoutDocument,
  type MeFragment,
  ReadViewerDocument,
  WatchLobbyDocument,
} from './api/generated.ts';
import { ask } from './api/http.ts';
import { hangUp, onSessionEnded, watch } from './api/live.ts';
import { setServerTime } from './clock.ts';
import { go } from './router.ts';

/** Whoever is logged in; null for nobody, undefined until the server said. */
export const viewer = signal<MeFragment | null | undefined>(undefined);
/** The viewer's lobby, live; null until it came. */
export const lobby = signal<LobbyStateFragment | null>(null);
/** Whether the server could not be asked who is logged in. */
export const unreachable = signal(false);

/** Where somebody wanted to go before logging in. */
export const wanted = signal('/lobby');

/** Asks the server who is logged in. */
export async function refresh(): Promise<void> {
  try {
    viewer.value = (await ask(ReadViewerDocument, {})).viewer;
    unreachable.value = false;
  } catch {
    unreachable.value = true;
  }
}

/** Takes over what a login or a registration answered, and goes where the person wanted to go. */
export function enter(me: MeFragment): void {
  hangUp();
  viewer.value = me;
  go(wanted.value);
  wanted.value = '/lobby';
}

/** Ends the session. Seats stay. */
export async function logout(): Promise<void> {
  await ask(LogoutDocument, {});
  hangUp();
  viewer.value = null;
}

onSessionEnded.call = () => {
  viewer.value = null;
};

/** Keeps the lobby up to date while somebody is logged in. */
export function follow(): void {
  let stop = () => {};
  let whose: string | undefined;
  effect(() => {
    const id = viewer.value?.player.id;
    if (id === whose) return;
    whose = id;
    stop();
    lobby.value = null;
    stop = id
      ? watch(WatchLobbyDocument, {}, (data) => {
          setServerTime(data.lobby.now);
          lobby.value = data.lobby;
        })
      : () => {};
  });
}
