// A hint for the first deployment and the first turn; put away for good with one click.
import { useSignal } from '@preact/signals';
import type { TableFragment } from '../../api/generated.ts';
import { aside } from '../../i18n/aside.ts';
import { words } from '../../i18n/index.ts';
import { settings } from '../../settings.ts';
import { keep, recall } from '../../ui/store.ts';

/** The hint of the phase, unless it was put away. */
export function FirstHint({ view }: { view: TableFragment }) {
  const { first } = aside.words();
  const seen = useSignal(recall<string[]>('hints', []));
  const which = view.phase === 'ASSEMBLING' ? 'deploy' : 'play';
  // The hint of the first turn speaks of the picture.
  const unfit = view.phase === 'ENDED' || !view.mySeat || (which === 'play' && settings.value.textBoard);
  const out = view.seats.some((card) => card.seat === view.mySeat && card.eliminated);
  if (unfit || out || seen.value.includes(which)) return null;
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
