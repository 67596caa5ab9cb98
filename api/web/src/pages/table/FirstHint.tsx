// A hint for the first deployment and the first turn; put away for good with one click.
import { useSignal } from '@preact/signals';
import type { TableFragment } from '../../api/generated.ts';
import { words } from '../../i18n/index.ts';
import { keep, recall } from '../../ui/store.ts';

/** The hint of the phase, unless it was put away. */
export function FirstHint({ view }: { view: TableFragment }) {
  const { first } = words().table;
  const seen = useSignal(recall<string[]>('hints', []));
  const which = view.phase === 'ASSEMBLING' ? 'deploy' : 'play';
  if (view.phase === 'ENDED' || !view.mySeat || seen.value.includes(which)) return null;
  const dismiss = () => {
    seen.value = [...seen.value, which];
    keep('hints', seen.value);
  };
  return (
    <section class="card first">
      <h2>{first.heading}</h2>
      <p>{first[which]}</p>
      <div class="row end">
        <a href="/manual">{words().nav.manual}</a>
        <button type="button" onClick={dismiss}>
          {words().common.dismiss}
        </button>
      </div>
    </section>
  );
}
