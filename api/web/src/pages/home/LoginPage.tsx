// Logging in.
import { useSignal } from '@preact/signals';
import { LoginDocument } from '../../api/generated.entry.ts';
import { ask } from '../../api/http.ts';
import { Field } from '../../forms/Field.tsx';
import { firstProblem, type Problem, problemAt, problemElsewhere } from '../../forms/problems.ts';
import { pageWords } from '../../i18n/index.ts';
import { ended, enter } from '../../session.ts';
import { useTitle } from '../../ui/title.ts';
import { sayFault } from '../../ui/toasts.tsx';
import '../../styles/forms.css';

/** The page for logging in. */
export function LoginPage() {
  const { account } = pageWords();
  useTitle(account.loginHeading);
  const email = useSignal('');
  const password = useSignal('');
  const busy = useSignal(false);
  const problem = useSignal<Problem | null>(null);

  const submit = async (event: Event) => {
    event.preventDefault();
    busy.value = true;
    problem.value = null;
    try {
      const input = { email: email.value.trim(), password: password.value };
      const { payload } = await ask(LoginDocument, { input });
      problem.value = await firstProblem(payload.userErrors);
      if (payload.viewer && !problem.value) {
        enter(payload.viewer);
      }
    } catch (fault) {
      sayFault(fault);
    }
    busy.value = false;
  };
  const general = problemElsewhere(['email'], problem.value);
  return (
    <div class="page narrow">
      <h1>{account.loginHeading}</h1>
      {ended.value && <p role="status">{account.sessionEnded}</p>}
      <form class="card form" onSubmit={submit}>
        <Field
          label={account.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email.value}
          onValue={(value) => (email.value = value)}
          problem={problemAt('email', problem.value)}
        />
        <Field
          label={account.password}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password.value}
          onValue={(value) => (password.value = value)}
        />
        {general && (
          <p class="problem" role="alert">
            {general}
          </p>
        )}
        <button type="submit" class="main wide" disabled={busy.value}>
          {account.login}
        </button>
        <p class="row between">
          <a href="/register">{account.toRegister}</a>
          <a href="/reset">{account.toReset}</a>
        </p>
      </form>
    </div>
  );
}
