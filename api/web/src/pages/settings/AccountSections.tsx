// The sections of whoever is logged in: account, reminders, sessions, own data.
import { useSignal } from '@preact/signals';
import { ReadAccountDocument } from '../../api/generated.account.ts';
import type { AccountFragment } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { words } from '../../i18n/index.ts';
import { viewer } from '../../session.ts';
import { useLoad } from '../../ui/load.ts';
import { sayFault } from '../../ui/toasts.tsx';
import { AccountSection } from './AccountSection.tsx';
import { DataSection } from './DataSection.tsx';
import { RemindersSection } from './RemindersSection.tsx';
import { SessionsSection } from './SessionsSection.tsx';

/** The sections. */
export function AccountSections() {
  const me = useSignal<AccountFragment | null>(null);
  const take = (next: AccountFragment | null) => {
    me.value = next;
    if (next) viewer.value = next;
  };
  const read = () =>
    ask(ReadAccountDocument, {})
      .then((answer) => take(answer.viewer))
      .catch(sayFault);
  useLoad(read, () => me.peek() === null, []);
  return (
    <>
      <RemindersSection />
      {me.value ? (
        <AccountSection me={me.value} onChange={take} />
      ) : (
        <p class="card quiet loading">{words().common.loading}</p>
      )}
      <SessionsSection />
      <DataSection />
    </>
  );
}
