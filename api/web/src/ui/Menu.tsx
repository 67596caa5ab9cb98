// A small menu that opens upwards or downwards from its button and closes when something else is used.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A button with a list of further buttons. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      if (details.current?.open && !details.current.contains(event.target as Node))
        details.current.open = false;
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, []);
  // What is picked here disappears: the focus stays with the button.
  const fold = () => {
    if (!details.current) return;
    details.current.open = false;
    details.current.querySelector('summary')?.focus();
  };
  return (
    <details
      class="menu"
      ref={details}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && details.current?.open) fold();
      }}
    >
      <summary>{label}</summary>
      <div class="menu-list" onClick={fold}>
        {children}
      </div>
    </details>
  );
}
