// The own data: taking it along, and deleting the account.
import { useSignal } from '@preact/signals';
import {
  DeleteAccountDocument,
  ExportAccountDocument,
  ReadHeldDocument,
} from '../../api/generated.account.ts';
import { ask, command, FILE_MS, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Fold } from '../../forms/Fold.tsx';
import { Form } from '../../forms/Form.tsx';
import { PasswordField } from '../../forms/fields.tsx';
import { account } from '../../i18n/account.ts';
import { go } from '../../router.ts';
import { leave } from '../../session.ts';
import { download } from '../../ui/download.ts';
import { confirm } from '../../ui/questions.ts';
import { say } from '../../ui/toasts.tsx';

/** The section of own data. */
export function DataSection() {
  const w = account.words();
  const exporting = useAttempt();
  const get = () =>
    exporting.run(async () => {
      const { viewer } = await ask(ExportAccountDocument, {}, FILE_MS);
      if (viewer) download('yibu-account.json', viewer.export);
      return [];
    });
  return (
    <section class="card form">
      <h2>{w.data.heading}</h2>
      <div>
        <button type="button" onClick={() => void get()} disabled={exporting.busy.value}>
          {w.data.export}
        </button>
        <p class="quiet">{w.data.exportHint}</p>
      </div>
      <Fold name={w.data.remove}>
        <Deletion />
      </Fold>
    </section>
  );
}

function Deletion() {
  const w = account.words();
  const attempt = useAttempt();
  const password = useSignal('');
  const remove = async () => {
    // How many seats go is asked at this moment: the page may have been open for long.
    let held = 0;
    const known = await attempt.run(async () => {
      const { viewer } = await ask(ReadHeldDocument, {});
      held = (viewer?.fullMatches.held ?? 0) + (viewer?.takeovers.held ?? 0);
      return [];
    });
    if (!known || !(await confirm(w.data.removeSure(held), w.data.remove, true))) return;
    const done = await attempt.run(async () => {
      const input = { idempotencyKey: newKey(), password: password.value };
      return (await command(DeleteAccountDocument, { input })).payload.userErrors;
    });
    if (!done) return;
    say(w.data.removed);
    leave();
    go('/');
  };
  return (
    <Form attempt={attempt} fields={['password']} button={w.data.remove} grave onSubmit={() => void remove()}>
      <div class="quiet">
        <p>{w.data.removeHint}</p>
        <ul>
          {w.data.removeCosts.map((cost) => (
            <li key={cost}>{cost}</li>
          ))}
        </ul>
      </div>
      <PasswordField label={w.password.current} name="password" value={password} attempt={attempt} />
    </Form>
  );
}
