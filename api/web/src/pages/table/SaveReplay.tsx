// Saving the complete replay of a match that ended, while the server keeps it.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ReadReplayTermDocument } from '../../api/generated.replay.ts';
import type { TableFragment } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { aside } from '../../i18n/aside.ts';
import { fullMoment } from '../../i18n/index.ts';
import { sayFault } from '../../ui/toasts.tsx';
import { saveReplay } from './saving.ts';

/** What stands above the actions of a finished match; where the bar is far from them, the bar has the button. */
export function SaveReplay({ view }: { view: TableFragment }) {
  const { save } = aside.words();
  /** Until when the server has it; null when it does not, undefined before it said. */
  const until = useSignal<string | null | undefined>(undefined);
  const busy = useSignal(false);
  useEffect(() => {
    ask(ReadReplayTermDocument, { matchId: view.id })
      .then(({ replay }) => {
        until.value = replay?.expiresAt ?? null;
      })
      .catch(sayFault);
  }, [view.id]);

  const get = async () => {
    busy.value = true;
    if (!(await saveReplay(view.id))) until.value = null;
    busy.value = false;
  };
  if (until.value === null) return <p class="quiet">{save.gone}</p>;
  return (
    <div class="save">
      <button type="button" class="main" onClick={get} disabled={busy.value || !until.value}>
        {save.button}
      </button>
      <p class="quiet">{until.value && save.until(fullMoment(until.value))}</p>
    </div>
  );
}
