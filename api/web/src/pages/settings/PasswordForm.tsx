// Changing the password; other sessions end.
import { useSignal } from '@preact/signals';
import { ChangePasswordDocument } from '../../api/generated.account.ts';
import { command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Form } from '../../forms/Form.tsx';
import { NewPasswordField, PasswordField } from '../../forms/fields.tsx';
import { account } from '../../i18n/account.ts';
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
      <PasswordField label={w.password.current} name="current" value={current} attempt={attempt} />
      <NewPasswordField label={w.password.fresh} value={password} attempt={attempt} />
    </Form>
  );
}
