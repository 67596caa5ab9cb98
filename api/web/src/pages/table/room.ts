// Tells the style sheets what a table, or a replay, has no room for: what stands above it, and its bar.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Measures for the table that gets the reference, as long as it shows. */
export function useRoom(): RefObject<HTMLDivElement | null> {
  const table = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const bars = table.current?.querySelector<HTMLElement>('.bars');
    if (!bars) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty('--above', `${table.current?.offsetTop}px`);
      style.setProperty('--bars', `${bars.offsetHeight}px`);
    });
    observer.observe(document.body);
    observer.observe(bars);
    return () => {
      observer.disconnect();
      style.removeProperty('--bars');
    };
  }, []);
  return table;
}
