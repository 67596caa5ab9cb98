// A labelled input with its hint and with what was refused of it.
import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Attempt } from './attempt.ts';
import { problemAt } from './problems.ts';

interface Props {
  label: string;
  type: 'text' | 'email' | 'password';
  /** As the API calls it: refusals name it. */
  name: string;
  autoComplete: string;
  value: Signal<string>;
  attempt: Attempt;
  readOnly?: boolean;
  inputMode?: 'numeric';
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  hint?: string;
}

/** A field of a form, which has to be filled in. */
export function Field({ label, hint, value, attempt, ...input }: Props) {
  const id = useId();
  const problem = problemAt(input.name, attempt.problem.value);
  const about = problem ? `${id}-problem` : hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...(input as { type: 'text' })}
        id={id}
        required
        value={value.value}
        aria-invalid={problem ? true : undefined}
        aria-describedby={about}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
      {problem ? (
        <p id={`${id}-problem`} class="problem" role="alert">
          {problem}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} class="quiet">
            {hint}
          </p>
        )
      )}
    </div>
  );
}
