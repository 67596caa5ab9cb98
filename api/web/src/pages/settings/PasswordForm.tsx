// Changing the password; other sessions end.
import { useSignal } from '@preact/signals';
import { ChangePasswordDocument } from '../../api/generated.account.ts';
import { command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Field } from '../../forms/Field.tsx';
import { Form } from '../../forms/Form.tsx';
import { problemAt } from '../../forms/problems.ts';
import { account } from '../../i18n/account.ts';
import { pageWords } from '../../i18n/index.ts';
import { say } from '../../ui/toasts.tsx';
import type { AccountProps } from './AccountSection.tsx';

/** The form of the password. */
export function PasswordForm({ onChange }: AccountProps) {
  const w = account.words();
  const attempt = useAttempt();
  const current = useSignal('');
  const password = useSignal('');
  const submit = async () => {
    const done = await attempt.run(async () => {
      const input = { idempotencyKey: newKey(), current: current.value, password: password.value };
      const { payload } = await command(ChangePasswordDocument, { input });
      if (payload.viewer) onChange(payload.viewer);
      return payload.userErrors;
    });
    if (!done) return;
    current.value = '';
    password.value = '';
    say(w.password.done);
  };
  return (
    <Form attempt={attempt} fields={['current', 'password']} button={w.password.change} onSubmit={submit}>
      <Field
        label={w.password.current}
        type="password"
        name="current"
        autoComplete="current-password"
        required
        value={current.value}
        onValue={(value) => (current.value = value)}
        problem={problemAt('current', attempt.problem.value)}
      />
      <Field
        label={w.password.fresh}
        type="password"
        name="password"
        autoComplete="new-password"
        minLength={10}
        maxLength={128}
        required
        value={password.value}
        onValue={(value) => (password.value = value)}
        hint={pageWords().account.passwordHint}
        problem={problemAt('password', attempt.problem.value)}
      />
    </Form>
  );
}
