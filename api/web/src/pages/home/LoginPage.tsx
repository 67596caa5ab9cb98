// Logging in.
import { useSignal } from '@preact/signals';
import { LoginDocument } from '../../api/generated.entry.ts';
import { ask } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Form } from '../../forms/Form.tsx';
import { EmailField, PasswordField } from '../../forms/fields.tsx';
import { pageWords } from '../../i18n/index.ts';
import { ended, enter } from '../../session.ts';
import { ADDRESS, keepHere, recallHere } from '../../ui/tab.ts';
import { useTitle } from '../../ui/title.ts';

/** The page for logging in. */
export function LoginPage() {
  const { account } = pageWords();
  useTitle(account.loginHeading);
  const attempt = useAttempt();
  const email = useSignal(recallHere(ADDRESS) ?? '');
  const password = useSignal('');
  const login = () =>
    attempt.run(async () => {
      const input = { email: email.value.trim(), password: password.value };
      const { payload } = await ask(LoginDocument, { input });
      if (payload.viewer && payload.userErrors.length === 0) {
        keepHere(ADDRESS, null);
        enter(payload.viewer);
      }
      return payload.userErrors;
    });
  const ways = (
    <p class="row between">
      <a href="/register">{account.toRegister}</a>
      <a href="/reset" onClick={() => keepHere(ADDRESS, email.peek().trim())}>
        {account.toReset}
      </a>
    </p>
  );
  return (
    <div class="page narrow">
      <h1>{account.loginHeading}</h1>
      {ended.value && <p role="status">{account.sessionEnded}</p>}
      <section class="card">
        <Form
          attempt={attempt}
          fields={['email']}
          button={account.login}
          wide
          onSubmit={() => void login()}
          below={ways}
        >
          <EmailField known value={email} attempt={attempt} />
          <PasswordField label={account.password} name="password" value={password} attempt={attempt} />
        </Form>
      </section>
    </div>
  );
}
