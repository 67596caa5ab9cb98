// A whole number within bounds.
import type { Signal } from '@preact/signals';

interface Props {
  label: string;
  least: number;
  most: number;
  value: Signal<number>;
}

/** A field of a number. */
export function NumberField({ label, least, most, value }: Props) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        required
        min={least}
        max={most}
        step={1}
        value={value.value}
        onInput={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          if (Number.isInteger(typed)) value.value = typed;
        }}
      />
    </label>
  );
}
