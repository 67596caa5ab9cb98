// Questions that need a yes, and sheets over the page. Built on the browser's own dialog: focus and Escape are its work.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../i18n/index.ts';

interface Question {
  text: string;
  yes: string;
  grave: boolean;
  answer: (yes: boolean) => void;
}

const question = signal<Question | null>(null);

/** Asks, and gives whether the answer was yes. `grave` marks what cannot be taken back. */
export function confirm(text: string, yes: string, grave = false): Promise<boolean> {
  return new Promise((answer) => {
    question.value = { text, yes, grave, answer };
  });
}

/** Where questions appear. */
export function Questions() {
  const asked = question.value;
  if (!asked) return null;
  const close = (yes: boolean) => {
    question.value = null;
    asked.answer(yes);
  };
  return (
    <Sheet label={asked.yes} onClose={() => close(false)}>
      <p class="question">{asked.text}</p>
      <div class="row end">
        <button type="button" onClick={() => close(false)}>
          {words().common.cancel}
        </button>
        <button type="button" class={asked.grave ? 'grave' : 'main'} onClick={() => close(true)}>
          {asked.yes}
        </button>
      </div>
    </Sheet>
  );
}

interface SheetProps {
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal sheet. */
export function Sheet({ label, onClose, children }: SheetProps) {
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
