// Changing the address: a code to the new one, then the change; other sessions end.
import { useSignal } from '@preact/signals';
import { ChangeEmailDocument, RequestEmailChangeDocument } from '../../api/generated.account.ts';
import { ask, command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { DevMail } from '../../forms/DevMail.tsx';
import { Form } from '../../forms/Form.tsx';
import { CodeField, EmailField, PasswordField } from '../../forms/fields.tsx';
import { account } from '../../i18n/account.ts';
import { pageWords } from '../../i18n/index.ts';
import { say } from '../../ui/toasts.tsx';
import type { AccountProps } from './AccountSection.tsx';

/** The form of the address. */
export function EmailForm({ me, onChange }: AccountProps) {
  const w = account.words();
  const { account: common } = pageWords();
  const attempt = useAttempt();
  const email = useSignal('');
  const current = useSignal('');
  const code = useSignal('');
  const sent = useSignal(false);

  const send = async () => {
    const input = { email: email.value.trim(), current: current.value };
    sent.value = await attempt.run(async () => {
      return (await ask(RequestEmailChangeDocument, { input })).payload.userErrors;
    });
  };
  const change = async () => {
    const done = await attempt.run(async () => {
      const input = {
        idempotencyKey: newKey(),
        email: email.value.trim(),
        code: code.value.trim(),
        current: current.value,
      };
      const { payload } = await command(ChangeEmailDocument, { input });
      if (payload.viewer) onChange(payload.viewer);
      return payload.userErrors;
    });
    if (!done) return;
    for (const field of [email, current, code]) field.value = '';
    sent.value = false;
    say(w.email.done);
  };
  return (
    <Form
      attempt={attempt}
      fields={['email', 'current', 'code']}
      button={sent.value ? w.email.change : w.email.send}
      onSubmit={() => void (sent.value ? change() : send())}
    >
      <p class="quiet">{w.email.now(me.email ?? '')}</p>
      <EmailField label={w.email.fresh} readOnly={sent.value} value={email} attempt={attempt} />
      <PasswordField label={w.password.current} name="current" value={current} attempt={attempt} />
      {sent.value && (
        <>
          <p role="status">{w.email.sent(email.value)}</p>
          <DevMail />
          <CodeField value={code} attempt={attempt} />
          <button type="button" onClick={() => (sent.value = false)}>
            {common.otherEmail}
          </button>
        </>
      )}
    </Form>
  );
}
