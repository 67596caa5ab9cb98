// Registers the service worker, so that the replay viewer opens without a network.

interface Types {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string };
}

/** The files that this page has loaded so far. */
function loaded(): string[] {
  return performance
    .getEntriesByType('resource')
    .map((entry) => new URL(entry.name).pathname)
    .filter((path) => path.startsWith('/assets/'));
}

/** Registers it where there is one; in development there is none. `warm` loads what shall work offline. */
export async function offline(warm: () => Promise<unknown>): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const types = (globalThis as { trustedTypes?: Types }).trustedTypes;
  const policy = types?.createPolicy('yibu', { createScriptURL: (url) => url });
  try {
    await navigator.serviceWorker.register(policy ? policy.createScriptURL('/sw.js') : '/sw.js');
    const { active } = await navigator.serviceWorker.ready;
    await warm();
    active?.postMessage(loaded());
  } catch {
    // Without one the site works as before, online.
  }
}
