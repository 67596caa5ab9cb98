// A forgotten password: asking for a link by mail, and setting a new password with the token that the link carries. The
// token leaves the address as soon as it was read, so that it stays in no history; the tab keeps it until it was used.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { RequestResetDocument, ResetPasswordDocument } from '../../api/generated.entry.ts';
import { ask } from '../../api/http.ts';
import { noteLost, useAttempt } from '../../forms/attempt.ts';
import { DevMail } from '../../forms/DevMail.tsx';
import { Form } from '../../forms/Form.tsx';
import { EmailField, NewPasswordField } from '../../forms/fields.tsx';
import { language, pageWords } from '../../i18n/index.ts';
import { LOCALES } from '../../i18n/locales.ts';
import { go } from '../../router.ts';
import { leave } from '../../session.ts';
import { ADDRESS, keepHere, recallHere } from '../../ui/tab.ts';
import { useTitle } from '../../ui/title.ts';
import { say } from '../../ui/toasts.tsx';

/** The token of a link's fragment. */
export const tokenIn = (fragment: string): string | null =>
  new URLSearchParams(fragment.replace(/^#/, '')).get('token') || null;

const KEPT = 'reset';

/** The page of the reset. */
export function ResetPage() {
  const { account } = pageWords();
  useTitle(account.resetHeading);
  const token = useSignal(tokenIn(location.hash) ?? recallHere(KEPT));
  useEffect(() => {
    const read = () => {
      const found = tokenIn(location.hash);
      if (!found) return;
      token.value = found;
      keepHere(KEPT, found);
      history.replaceState(null, '', '/reset');
    };
    read();
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const other = () => {
    keepHere(KEPT, null);
    token.value = null;
  };
  return (
    <div class="page narrow">
      <h1>{account.resetHeading}</h1>
      <section class="card">
        {token.value ? <NewPassword token={token.value} onOther={other} /> : <AskForLink />}
      </section>
    </div>
  );
}

function AskForLink() {
  const { account } = pageWords();
  const attempt = useAttempt();
  const email = useSignal(recallHere(ADDRESS) ?? '');
  const minutes = useSignal<number | null>(null);
  const send = () =>
    attempt.run(async () => {
      const input = { email: email.value.trim(), locale: LOCALES[language.value] };
      const { payload } = await ask(RequestResetDocument, { input });
      if (payload.userErrors.length === 0) minutes.value = Math.floor((payload.validSeconds ?? 1_800) / 60);
      return payload.userErrors;
    });
  return (
    <Form
      attempt={attempt}
      fields={['email']}
      button={minutes.value === null ? account.resetSend : account.sendAgain}
      onSubmit={() => void send()}
    >
      <p>{account.resetHint}</p>
      <EmailField known value={email} attempt={attempt} />
      {minutes.value !== null && (
        <>
          <p role="status">{account.resetSent(email.value, minutes.value)}</p>
          <DevMail />
        </>
      )}
    </Form>
  );
}

function NewPassword({ token, onOther }: { token: string; onOther: () => void }) {
  const { account } = pageWords();
  const attempt = useAttempt();
  const password = useSignal('');
  /** Whether no answer came to an attempt that may have set the password. */
  const lost = useSignal(false);
  const set = async () => {
    const done = await attempt.run(async () => {
      const input = { token, password: password.value };
      return (await ask(ResetPasswordDocument, { input }).catch(noteLost(lost))).payload.userErrors;
    });
    if (!done) return;
    keepHere(KEPT, null);
    leave();
    say(account.resetDone);
    go('/login', true);
  };
  return (
    <Form attempt={attempt} fields={['password']} button={account.resetSet} onSubmit={() => void set()}>
      <NewPasswordField label={account.newPassword} value={password} attempt={attempt} />
      {lost.value && (
        <p role="status">
          {account.resetLost} <a href="/login">{account.login}</a>
        </p>
      )}
      {attempt.problem.value && (
        <button type="button" onClick={onOther}>
          {account.resetSend}
        </button>
      )}
    </Form>
  );
}
