// A form around an attempt: its fields, the refusal that is about none of them, and its button.
import type { ComponentChildren } from 'preact';
import type { Attempt } from './attempt.ts';
import { problemElsewhere } from './problems.ts';
import '../styles/forms.css';

interface Props {
  attempt: Attempt;
  /** The fields that show their own refusals. */
  fields: readonly string[];
  button: string;
  grave?: boolean;
  /** Whether the button is as wide as the form. */
  wide?: boolean;
  disabled?: boolean;
  onSubmit: () => void;
  /** What stands below the button. */
  below?: ComponentChildren;
  children: ComponentChildren;
}

/** The form. */
export function Form({ attempt, fields, button, grave, wide, disabled, onSubmit, below, children }: Props) {
  const general = problemElsewhere(fields, attempt.problem.value);
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {general && (
        <p class="problem" role="alert">
          {general}
        </p>
      )}
      <button
        type="submit"
        class={`${grave ? 'grave' : 'main'}${wide ? ' wide' : ''}`}
        disabled={attempt.busy.value || disabled}
      >
        {button}
      </button>
      {below}
    </form>
  );
}
