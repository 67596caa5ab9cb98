// The viewer's lobby, live while its page is open. What it showed last is there at once when the person comes back.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { WatchLobbyDocument } from '../../api/generated.lobby.ts';
import type { LobbyStateFragment } from '../../api/generated.ts';
import { watch } from '../../api/live.ts';
import { viewer } from '../../session.ts';

const last = signal<{ whose: string; state: LobbyStateFragment } | null>(null);

/** The lobby; null until it came. */
export function useLobby(): LobbyStateFragment | null {
  const whose = viewer.value?.player.id ?? '';
  useEffect(
    () =>
      watch(WatchLobbyDocument, {}, ({ lobby }) => {
        last.value = { whose, state: lobby };
      }),
    [whose],
  );
  return last.value?.whose === whose ? last.value.state : null;
}
