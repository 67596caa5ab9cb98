// A labelled input with its hint and its problem.
import { useId } from 'preact/hooks';

interface Props {
  label: string;
  type: 'text' | 'email' | 'password';
  name: string;
  autoComplete: string;
  value: string;
  onValue: (value: string) => void;
  required?: boolean;
  readOnly?: boolean;
  inputMode?: 'numeric';
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  hint?: string;
  problem?: string | null;
}

/** A field of a form. */
export function Field({ label, hint, problem, onValue, ...input }: Props) {
  const id = useId();
  const about = problem ? `${id}-problem` : hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...(input as { type: 'text' })}
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={about}
        onInput={(event) => onValue(event.currentTarget.value)}
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
