// A part that cannot be loaded: a newer release may have taken its place, which a reload finds. Nobody loses by it what
// is typed or opened on the page; who would, is told. A style sheet is asked for until it comes: the loader asks once.
import { words } from './i18n/index.ts';
import { keep, recall } from './ui/store.ts';
import { say, sayRefused } from './ui/toasts.tsx';

/** Reloaded once in so long, not for ever. */
const RELOAD_MS = 60_000;
/** Until a style sheet is asked for again; twice as long each time. */
const AGAIN_MS = 2_000;
let telling = false;

/** Whether a reload would lose something: a text in a field, a replay that is open. */
const holds = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement>('input, textarea')].some(({ value }) => value !== '');

addEventListener('vite:preloadError', async () => {
  // The sentence may be missing, too.
  if (telling) return;
  if (!navigator.onLine) {
    say(words().common.unreachable, true);
  } else if (!holds() && Date.now() - recall('reloaded', 0) > RELOAD_MS) {
    keep('reloaded', Date.now());
    location.reload();
  } else {
    telling = true;
    await sayRefused({ code: 'PART_MISSING', retryAfter: null });
    telling = false;
  }
});

addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
    const tries = Number(target.dataset.tries ?? 0);
    const again = () => {
      clearTimeout(timer);
      removeEventListener('online', again);
      const next = target.cloneNode() as HTMLLinkElement;
      next.dataset.tries = String(tries + 1);
      target.replaceWith(next);
    };
    const timer = setTimeout(again, AGAIN_MS * 2 ** tries);
    addEventListener('online', again);
  },
  true,
);
