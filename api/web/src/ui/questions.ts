// Questions that need a yes: whoever asks waits here; the dialog itself is loaded with the first question.
import { signal } from '@preact/signals';

interface Question {
  text: string;
  yes: string;
  grave: boolean;
  answer: (yes: boolean) => void;
}

/** The question that is open. */
export const question = signal<Question | null>(null);

/** Asks, and gives whether the answer was yes. `grave` marks what cannot be taken back. */
export function confirm(text: string, yes: string, grave = false): Promise<boolean> {
  return new Promise((answer) => {
    question.value = { text, yes, grave, answer };
  });
}
