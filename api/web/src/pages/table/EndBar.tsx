// What to do next when a match has ended.
import { useSignal } from '@preact/signals';
import { MatchNewGameDocument } from '../../api/generated.matching.ts';
import type { TableFragment } from '../../api/generated.ts';
import { newNonce } from '../../api/http.ts';
import { once } from '../../api/once.ts';
import { aside } from '../../i18n/aside.ts';
import { go } from '../../router.ts';
import { say, sayFault, sayRefused } from '../../ui/toasts.tsx';
import { saveReplay } from './saving.ts';

/** The bar of a table that ended. */
export function EndBar({ view }: { view: TableFragment }) {
  const { next, save } = aside.words();
  const busy = useSignal(false);
  const during = async (work: () => Promise<unknown>) => {
    busy.value = true;
    await work().catch(sayFault);
    busy.value = false;
  };
  const keep = async () => {
    if (!(await saveReplay(view.id))) say(save.gone, true);
  };
  const again = async () => {
    const { payload } = await once(MatchNewGameDocument, {}, () => ({ nonce: newNonce() }));
    const problem = payload.userErrors[0];
    if (problem) await sayRefused(problem);
    else if (payload.match) go(`/table/${payload.match.id}`);
  };
  return (
    <div class="bar">
      <div class="row">
        {view.role !== 'CANDIDATE' && (
          <>
            <button type="button" class="main keep" onClick={() => void during(keep)} disabled={busy.value}>
              {save.button}
            </button>
            <a class="button" href="/record">
              {next.record}
            </a>
          </>
        )}
        <a class="button" href="/lobby">
          {next.lobby}
        </a>
        <button type="button" onClick={() => void during(again)} disabled={busy.value}>
          {next.again}
        </button>
      </div>
    </div>
  );
}
