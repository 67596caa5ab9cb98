// A sheet over the page. Built on the browser's own dialog: Escape is its work, and the focus as long as it is open.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import '../styles/dialog.css';

interface Props {
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal sheet. */
export function Sheet({ label, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    // A button, or a position of the board's picture.
    const before = document.activeElement as HTMLElement | SVGElement | null;
    if (!dialog.current?.open) dialog.current?.showModal();
    // Browsers give the focus back when a dialog is closed, not when it is taken off the page.
    return () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body) before?.focus();
      });
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="sheet">{children}</div>
    </dialog>
  );
}
