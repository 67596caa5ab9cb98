// Changing the address: a code to the new one, then the change; other sessions end.
import { useSignal } from '@preact/signals';
import { ChangeEmailDocument, RequestEmailChangeDocument } from '../../api/generated.account.ts';
import { ask, command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { DevMail } from '../../forms/DevMail.tsx';
import { Field } from '../../forms/Field.tsx';
import { Form } from '../../forms/Form.tsx';
import { problemAt } from '../../forms/problems.ts';
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
      <Field
        label={w.email.fresh}
        type="email"
        name="email"
        autoComplete="email"
        required
        readOnly={sent.value}
        value={email.value}
        onValue={(value) => (email.value = value)}
        problem={problemAt('email', attempt.problem.value)}
      />
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
      {sent.value && (
        <>
          <p role="status">{w.email.sent(email.value)}</p>
          <DevMail />
          <Field
            label={common.code}
            type="text"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="\d{6}"
            maxLength={6}
            required
            value={code.value}
            onValue={(value) => (code.value = value)}
            problem={problemAt('code', attempt.problem.value)}
          />
          <button type="button" onClick={() => (sent.value = false)}>
            {common.otherEmail}
          </button>
        </>
      )}
    </Form>
  );
}
