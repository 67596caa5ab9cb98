// What a tab tells the other tabs of this browser: they share the login's cookie and the settings of the device. Where
// there is no such channel each tab is for itself.

interface Told {
  /** Who is logged in has changed; `left` when the person logged out. */
  session: 'entered' | 'left';
  /** Which announcement was put away: since when it stands. */
  announced: string;
  /** The settings that were changed. */
  settings: object;
  /** What a subscription of that name told. */
  heard: { name: string; data: unknown };
}

const channel = globalThis.BroadcastChannel ? new BroadcastChannel('yibu') : null;

/** Tells the other tabs. */
export function tell<K extends keyof Told>(kind: K, what: Told[K]): void {
  channel?.postMessage([kind, what]);
}

/** Calls back whenever another tab tells. */
export function hear<K extends keyof Told>(kind: K, then: (what: Told[K]) => void): void {
  channel?.addEventListener('message', ({ data }) => {
    if (data[0] === kind) then(data[1]);
  });
}
