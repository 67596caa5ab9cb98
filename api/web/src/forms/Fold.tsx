// Something that most people do not need, behind its name.
import type { ComponentChildren } from 'preact';

/** A part that opens by its name. */
export function Fold({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <details class="fold">
      <summary>{name}</summary>
      {children}
    </details>
  );
}
