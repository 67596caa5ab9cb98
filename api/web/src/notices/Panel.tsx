// The list that opens under the bell.
import { useEffect, useRef } from 'preact/hooks';
import { pageWords } from '../i18n/index.ts';
import { NoticeList } from './NoticeList.tsx';

/** The panel; Escape and a press elsewhere close it. */
export function Panel({ onClose }: { onClose: () => void }) {
  const { notices: w } = pageWords();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
    const outside = (event: Event) => {
      if (!panel.current?.parentElement?.contains(event.target as Node)) onClose();
    };
    const byKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      onClose();
      panel.current?.parentElement?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('keydown', byKey);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('keydown', byKey);
    };
  }, []);
  return (
    <section class="bell-panel card" ref={panel} tabIndex={-1} aria-label={w.heading}>
      <NoticeList most={8} />
      <p>
        <a href="/notices">{w.all}</a>
      </p>
    </section>
  );
}
