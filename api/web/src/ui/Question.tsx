// The dialog of the question that is open.
import { words } from '../i18n/index.ts';
import { question } from './questions.ts';
import { Sheet } from './Sheet.tsx';

/** The question that is open. */
export function Question() {
  const asked = question.value;
  if (!asked) return null;
  const close = (yes: boolean) => {
    question.value = null;
    asked.answer(yes);
  };
  return (
    <Sheet label={asked.yes} onClose={() => close(false)}>
      <p class="question">{asked.text}</p>
      <div class="row end">
        <button type="button" onClick={() => close(false)}>
          {words().common.cancel}
        </button>
        <button type="button" class={asked.grave ? 'grave' : 'main'} onClick={() => close(true)}>
          {asked.yes}
        </button>
      </div>
    </Sheet>
  );
}
