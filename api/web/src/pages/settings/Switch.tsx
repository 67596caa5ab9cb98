// A switch with what it does.

interface Props {
  label: string;
  hint: string;
  on: boolean;
  disabled?: boolean;
  set: (on: boolean) => void;
}

/** A setting that is on or off. */
export function Switch({ label, hint, on, disabled, set }: Props) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        disabled={disabled}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      <span>
        <b>{label}</b>
        <small>{hint}</small>
      </span>
    </label>
  );
}
