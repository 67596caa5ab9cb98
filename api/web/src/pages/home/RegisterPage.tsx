// Making an account: address, then the mailed code with nickname and password.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { RegisterDocument, RequestCodeDocument } from '../../api/generated.entry.ts';
import { ask } from '../../api/http.ts';
import { noteLost, useAttempt } from '../../forms/attempt.ts';
import { DevMail } from '../../forms/DevMail.tsx';
import { Form } from '../../forms/Form.tsx';
import { CodeField, EmailField, NewPasswordField, NicknameField } from '../../forms/fields.tsx';
import { language, pageWords } from '../../i18n/index.ts';
import { LOCALES } from '../../i18n/locales.ts';
import { enter } from '../../session.ts';
import { ADDRESS, keepHere, recallHere } from '../../ui/tab.ts';
import { useTitle } from '../../ui/title.ts';

/** The address whose code is waited for: a reload comes back to it. */
const KEPT = 'register';

/** The page for registering. */
export function RegisterPage() {
  const { account } = pageWords();
  useTitle(account.registerHeading);
  const kept = recallHere(KEPT);
  const attempt = useAttempt();
  const email = useSignal(kept ?? '');
  const code = useSignal('');
  const nickname = useSignal('');
  const password = useSignal('');
  /** Minutes that the mailed code is valid; null before it was sent, 0 when it was sent earlier. */
  const validMinutes = useSignal<number | null>(kept === null ? null : 0);
  const wait = useSignal(0);
  /** Whether no answer came to an attempt that may have made the account. */
  const lost = useSignal(false);
  const locale = LOCALES[language.value];

  useEffect(() => {
    if (wait.value <= 0) return;
    const timer = setTimeout(() => (wait.value -= 1), 1_000);
    return () => clearTimeout(timer);
  }, [wait.value]);

  const send = () =>
    attempt.run(async () => {
      const { payload } = await ask(RequestCodeDocument, { input: { email: email.value.trim(), locale } });
      if (payload.userErrors.length === 0) {
        keepHere(KEPT, email.value.trim());
        validMinutes.value = Math.floor((payload.validSeconds ?? 600) / 60);
        wait.value = payload.nextAfterSeconds ?? 60;
      }
      return payload.userErrors;
    });
  const create = () =>
    attempt.run(async () => {
      const input = {
        email: email.value.trim(),
        code: code.value.trim(),
        nickname: nickname.value,
        password: password.value,
        locale,
      };
      const { payload } = await ask(RegisterDocument, { input }).catch(noteLost(lost));
      if (payload.viewer && payload.userErrors.length === 0) {
        keepHere(KEPT, null);
        enter(payload.viewer);
      }
      return payload.userErrors;
    });

  const have = (event: MouseEvent) => {
    if (!(event.currentTarget as HTMLButtonElement).form?.reportValidity()) return;
    keepHere(KEPT, email.value.trim());
    validMinutes.value = 0;
  };
  const other = () => {
    keepHere(KEPT, null);
    validMinutes.value = null;
    lost.value = false;
  };

  const sent = validMinutes.value !== null;
  const below = (
    <>
      {!sent && (
        <p>
          <button type="button" onClick={have}>
            {account.haveCode}
          </button>
        </p>
      )}
      {lost.value && <p role="status">{account.registerLost}</p>}
      <p>
        <a href="/login" onClick={() => keepHere(ADDRESS, email.peek().trim())}>
          {account.toLogin}
        </a>
      </p>
    </>
  );
  return (
    <div class="page narrow">
      <h1>{account.registerHeading}</h1>
      <ol class="steps">
        {account.steps.map((step, i) => (
          <li key={step} aria-current={(sent ? 1 : 0) === i ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </ol>
      <section class="card">
        <Form
          attempt={attempt}
          fields={['email', 'code', 'nickname', 'password']}
          button={sent ? account.create : account.sendCode}
          wide
          onSubmit={() => void (sent ? create() : send())}
          below={below}
        >
          <EmailField readOnly={sent} value={email} attempt={attempt} />
          {sent && (
            <>
              {validMinutes.value ? (
                <p role="status">{account.codeSent(email.value, validMinutes.value)}</p>
              ) : null}
              <DevMail />
              <div class="row">
                <button
                  type="button"
                  onClick={() => void send()}
                  disabled={attempt.busy.value || wait.value > 0}
                >
                  {wait.value > 0 ? account.sendAgainIn(wait.value) : account.sendAgain}
                </button>
                <button type="button" onClick={other}>
                  {account.otherEmail}
                </button>
              </div>
              <CodeField value={code} attempt={attempt} />
              <NicknameField hint={account.nicknameHint} value={nickname} attempt={attempt} />
              <NewPasswordField label={account.password} value={password} attempt={attempt} />
            </>
          )}
        </Form>
      </section>
    </div>
  );
}
