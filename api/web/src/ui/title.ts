// The page's title, with how many tables wait, and the favicon that goes with it.
import { useEffect } from 'preact/hooks';
import { words } from '../i18n/index.ts';
import { waiting } from '../session.ts';

/** Sets the title while the component shows. */
export function useTitle(title: string): void {
  const count = waiting.value;
  const name = words().title;
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ''}${title === name ? name : `${title} · ${name}`}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon) icon.href = count ? `/favicon-${Math.min(count, 9)}.svg` : '/favicon.svg';
  }, [title, count, name]);
}
