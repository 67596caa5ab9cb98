// What to do here, for those who come for the first time; put away for good with one click.
import { useSignal } from '@preact/signals';
import { pageWords, words } from '../../i18n/index.ts';
import { keep, recall } from '../../ui/store.ts';

const NAME = 'lobby';

/** The hint, unless it was put away. */
export function LobbyHint({ vacancies }: { vacancies: number }) {
  const { hint } = pageWords().lobby;
  const seen = useSignal(recall<string[]>('hints', []));
  if (seen.value.includes(NAME)) return null;
  const dismiss = () => {
    seen.value = [...recall<string[]>('hints', []), NAME];
    keep('hints', seen.value);
  };
  const steps = vacancies > 0 ? [...hint.steps, hint.vacant] : hint.steps;
  return (
    <section class="card first">
      <h2>{hint.heading}</h2>
      <ol class="hint-steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div class="row between">
        <span class="row">
          <a href="/manual">{words().nav.manual}</a>
          <a href="/settings">{hint.settings}</a>
        </span>
        <button type="button" onClick={dismiss}>
          {words().common.dismiss}
        </button>
      </div>
    </section>
  );
}
