// Making an account: address, then the mailed code with nickname and password.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { RegisterDocument, RequestCodeDocument } from '../../api/generated.entry.ts';
import { ask } from '../../api/http.ts';
import { DevMail } from '../../forms/DevMail.tsx';
import { Field } from '../../forms/Field.tsx';
import { firstProblem, type Problem, problemAt, problemElsewhere } from '../../forms/problems.ts';
import { language, pageWords } from '../../i18n/index.ts';
import { LOCALES } from '../../i18n/locales.ts';
import { enter } from '../../session.ts';
import { keepHere, recallHere } from '../../ui/tab.ts';
import { useTitle } from '../../ui/title.ts';
import { sayFault } from '../../ui/toasts.tsx';
import '../../styles/forms.css';

/** The address whose code is waited for: a reload comes back to it. */
const KEPT = 'register';

/** The page for registering. */
export function RegisterPage() {
  const { account } = pageWords();
  useTitle(account.registerHeading);
  const kept = recallHere(KEPT);
  const email = useSignal(kept ?? '');
  const code = useSignal('');
  const nickname = useSignal('');
  const password = useSignal('');
  /** Minutes that the mailed code is valid; null before it was sent, 0 when it was sent earlier. */
  const validMinutes = useSignal<number | null>(kept === null ? null : 0);
  const wait = useSignal(0);
  const busy = useSignal(false);
  const problem = useSignal<Problem | null>(null);
  const locale = LOCALES[language.value];

  useEffect(() => {
    if (wait.value <= 0) return;
    const timer = setTimeout(() => (wait.value -= 1), 1_000);
    return () => clearTimeout(timer);
  }, [wait.value]);

  const guarded = async (work: () => Promise<void>) => {
    busy.value = true;
    problem.value = null;
    try {
      await work();
    } catch (fault) {
      sayFault(fault);
    }
    busy.value = false;
  };
  const send = () =>
    guarded(async () => {
      const { payload } = await ask(RequestCodeDocument, { input: { email: email.value.trim(), locale } });
      problem.value = await firstProblem(payload.userErrors);
      if (problem.value) return;
      keepHere(KEPT, email.value.trim());
      validMinutes.value = Math.floor((payload.validSeconds ?? 600) / 60);
      wait.value = payload.nextAfterSeconds ?? 60;
    });
  const create = () =>
    guarded(async () => {
      const input = {
        email: email.value.trim(),
        code: code.value.trim(),
        nickname: nickname.value,
        password: password.value,
        locale,
      };
      const { payload } = await ask(RegisterDocument, { input });
      problem.value = await firstProblem(payload.userErrors);
      if (!payload.viewer || problem.value) return;
      keepHere(KEPT, null);
      enter(payload.viewer);
    });

  const have = (event: MouseEvent) => {
    if (!(event.currentTarget as HTMLButtonElement).form?.reportValidity()) return;
    keepHere(KEPT, email.value.trim());
    validMinutes.value = 0;
  };
  const other = () => {
    keepHere(KEPT, null);
    validMinutes.value = null;
  };

  const sent = validMinutes.value !== null;
  const general = problemElsewhere(['email', 'code', 'nickname', 'password'], problem.value);
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
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          void (sent ? create() : send());
        }}
      >
        <Field
          label={account.email}
          type="email"
          name="email"
          autoComplete="email"
          required
          readOnly={sent}
          value={email.value}
          onValue={(value) => (email.value = value)}
          problem={problemAt('email', problem.value)}
        />
        {sent && (
          <>
            {validMinutes.value ? (
              <p role="status">{account.codeSent(email.value, validMinutes.value)}</p>
            ) : null}
            <DevMail />
            <div class="row">
              <button type="button" onClick={() => void send()} disabled={busy.value || wait.value > 0}>
                {wait.value > 0 ? account.sendAgainIn(wait.value) : account.sendAgain}
              </button>
              <button type="button" onClick={other}>
                {account.otherEmail}
              </button>
            </div>
            <Field
              label={account.code}
              type="text"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="\d{6}"
              maxLength={6}
              required
              value={code.value}
              onValue={(value) => (code.value = value)}
              problem={problemAt('code', problem.value)}
            />
            <Field
              label={account.nickname}
              type="text"
              name="nickname"
              autoComplete="nickname"
              maxLength={64}
              required
              value={nickname.value}
              onValue={(value) => (nickname.value = value)}
              hint={account.nicknameHint}
              problem={problemAt('nickname', problem.value)}
            />
            <Field
              label={account.password}
              type="password"
              name="password"
              autoComplete="new-password"
              minLength={10}
              maxLength={128}
              required
              value={password.value}
              onValue={(value) => (password.value = value)}
              hint={account.passwordHint}
              problem={problemAt('password', problem.value)}
            />
          </>
        )}
        {general && (
          <p class="problem" role="alert">
            {general}
          </p>
        )}
        <button type="submit" class="main wide" disabled={busy.value}>
          {sent ? account.create : account.sendCode}
        </button>
        {!sent && (
          <p>
            <button type="button" onClick={have}>
              {account.haveCode}
            </button>
          </p>
        )}
        <p>
          <a href="/login">{account.toLogin}</a>
        </p>
      </form>
    </div>
  );
}
