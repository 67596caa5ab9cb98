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

/** Answers the question that is open. */
export function settle(yes = false): void {
  const asked = question.peek();
  question.value = null;
  asked?.answer(yes);
}

/**
 * Asks, and gives whether the answer was yes: no for a question that could not be shown. `grave` marks what cannot be
 * taken back.
 */
export function confirm(text: string, yes: string, grave = false): Promise<boolean> {
  settle();
  return new Promise((answer) => {
    question.value = { text, yes, grave, answer };
  });
}
