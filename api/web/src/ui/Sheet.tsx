// A sheet over the page. Built on the browser's own dialog: focus and Escape are its work.
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
    if (!dialog.current?.open) dialog.current?.showModal();
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
