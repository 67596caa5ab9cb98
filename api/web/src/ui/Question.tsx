// The dialog of the question that is open.
import { words } from '../i18n/index.ts';
import { question } from './questions.ts';
import { Sheet } from './Sheet.tsx';

/** The question that is open; `onClose` takes the answer. */
export function Question({ onClose }: { onClose: (yes?: boolean) => void }) {
  const asked = question.value;
  if (!asked) return null;
  return (
    <Sheet label={asked.yes} onClose={() => onClose()}>
      <p class="question">{asked.text}</p>
      <div class="row end">
        <button type="button" onClick={() => onClose()}>
          {words().common.cancel}
        </button>
        <button type="button" class={asked.grave ? 'grave' : 'main'} onClick={() => onClose(true)}>
          {asked.yes}
        </button>
      </div>
    </Sheet>
  );
}
