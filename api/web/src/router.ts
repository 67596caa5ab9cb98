// Where the person is: the path as a signal, links without reload. It knows no page.
import { signal } from '@preact/signals';

/** The path of now. */
export const path = signal(location.pathname);

/** Goes to a path of this site. */
export function go(to: string, replace = false): void {
  if (to === path.value) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  path.value = new URL(to, location.href).pathname;
  scrollTo(0, 0);
}

addEventListener('popstate', () => {
  path.value = location.pathname;
});

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest?.('a');
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  if (link.hash && link.pathname === location.pathname) return;
  if (/^\/(dev|graphql|schemas)\b/.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.hash);
});
