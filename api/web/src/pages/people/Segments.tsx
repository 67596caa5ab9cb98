// A choice of one among a few.
import type { Signal } from '@preact/signals';

interface Props<C extends string> {
  label: string;
  names: Record<C, string>;
  all: readonly C[];
  chosen: Signal<C>;
}

/** The choice as a row of buttons. */
export function Segments<C extends string>({ label, names, all, chosen }: Props<C>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {all.map((one) => (
        <button
          key={one}
          type="button"
          class="segment"
          aria-pressed={chosen.value === one}
          onClick={() => {
            chosen.value = one;
          }}
        >
          {names[one]}
        </button>
      ))}
    </div>
  );
}
