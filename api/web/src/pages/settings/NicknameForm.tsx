// Changing the nickname, as often as the rule allows.
import { useSignal } from '@preact/signals';
import { ChangeNicknameDocument } from '../../api/generated.account.ts';
import { command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Form } from '../../forms/Form.tsx';
import { NicknameField } from '../../forms/fields.tsx';
import { account } from '../../i18n/account.ts';
import { fullMoment } from '../../i18n/index.ts';
import { say } from '../../ui/toasts.tsx';
import type { AccountProps } from './AccountSection.tsx';

/** The form of the nickname. */
export function NicknameForm({ me, onChange }: AccountProps) {
  const w = account.words();
  const attempt = useAttempt();
  const nickname = useSignal(me.player.nickname ?? '');
  const submit = async () => {
    const done = await attempt.run(async () => {
      const input = { idempotencyKey: newKey(), nickname: nickname.value };
      const { payload } = await command(ChangeNicknameDocument, { input });
      if (payload.viewer) onChange(payload.viewer);
      return payload.userErrors;
    });
    if (done) say(w.saved);
  };
  const again = me.nicknameChangeAt ? ` ${w.nickname.again(fullMoment(me.nicknameChangeAt))}` : '';
  return (
    <Form
      attempt={attempt}
      fields={['nickname']}
      button={w.nickname.change}
      disabled={me.nicknameChangesLeft === 0 || nickname.value === me.player.nickname}
      onSubmit={submit}
    >
      <NicknameField
        hint={`${w.nickname.left(me.nicknameChangesLeft)}${again}`}
        value={nickname}
        attempt={attempt}
      />
    </Form>
  );
}
