// Registers the service worker, and has it keep the replay viewer and the manual in the language of now, so that both
// open without a network.
import { effect } from '@preact/signals';
import { settings } from './settings.ts';

interface Types {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string };
}

/** Registers it where there is one; in development there is none. */
export async function offline(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const types = (globalThis as { trustedTypes?: Types }).trustedTypes;
  const policy = types?.createPolicy('yibu', { createScriptURL: (url) => url });
  const { serviceWorker } = navigator;
  const keep = async () => (await serviceWorker.ready).active?.postMessage(settings.peek().language);
  try {
    await serviceWorker.register(policy ? policy.createScriptURL('/sw.js') : '/sw.js');
  } catch {
    // Without one the site works as before, online.
    return;
  }
  // The worker of a newer release knows other files.
  serviceWorker.addEventListener('controllerchange', () => void keep());
  effect(() => {
    void settings.value.language;
    void keep();
  });
}
