// The page's title, with how many tables wait, and the favicon that goes with it.
import { useEffect } from 'preact/hooks';
import { words } from '../i18n/index.ts';
import { lobby } from '../session.ts';

/** Sets the title while the component shows. */
export function useTitle(title: string): void {
  const waiting = lobby.value?.tables.filter((table) => table.waitsForMe).length ?? 0;
  const name = words().title;
  useEffect(() => {
    document.title = `${waiting ? `(${waiting}) ` : ''}${title === name ? name : `${title} · ${name}`}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = waiting ? `/favicon-${Math.min(waiting, 9)}.svg` : '/favicon.svg';
  }, [title, waiting, name]);
}
