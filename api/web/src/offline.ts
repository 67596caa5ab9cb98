// What is loaded ahead for later without a network: the dialog of questions by the page itself; the first page, the replay
// viewer and the manual, in the language of now, by the service worker.
import { effect } from '@preact/signals';
import { viewer } from './session.ts';
import { settings } from './settings.ts';

interface Types {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => { createScriptURL: (url: string) => string };
}

/** Has what is needed at any time at hand: the dialog of questions, and, where there are service workers, the viewer. */
export async function offline(): Promise<void> {
  // Who is not logged in is asked nothing.
  effect(() => {
    if (viewer.value) void import('./ui/Question.tsx').catch(() => {});
  });
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
