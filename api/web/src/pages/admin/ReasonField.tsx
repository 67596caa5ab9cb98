// Why an administrator does something. It is a code, kept in the log for ever, so that it names
// nobody.
import type { Signal } from '@preact/signals';
import { admin } from '../../i18n/admin.ts';

/** The field of a reason. */
export function ReasonField({ value }: { value: Signal<string> }) {
  const w = admin.words();
  return (
    <label class="field">
      <span>{w.reason}</span>
      <input
        type="text"
        required
        maxLength={40}
        pattern="[a-z0-9_]{1,40}"
        autocomplete="off"
        spellcheck={false}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
      <small class="quiet">{w.reasonHint}</small>
    </label>
  );
}
