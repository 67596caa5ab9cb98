// The account: who is logged in, and changing nickname, address, password and the language of mails.
import { ChangeLocaleDocument } from '../../api/generated.account.ts';
import type { AccountFragment, Locale } from '../../api/generated.ts';
import { command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Fold } from '../../forms/Fold.tsx';
import { account } from '../../i18n/account.ts';
import { fullMoment, pageWords, words } from '../../i18n/index.ts';
import { say } from '../../ui/toasts.tsx';
import { EmailForm } from './EmailForm.tsx';
import { NicknameForm } from './NicknameForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';

/** What the forms of the account need. */
export interface AccountProps {
  me: AccountFragment;
  onChange: (me: AccountFragment | null) => void;
}

const LOCALES: readonly Locale[] = ['ZH_HANS', 'ZH_HANT', 'EN'];

/** The account's section. */
export function AccountSection({ me, onChange }: AccountProps) {
  const w = account.words();
  const { lobby } = pageWords();
  return (
    <section class="card form">
      <h2>{w.heading}</h2>
      <dl class="facts-list">
        <dt>{w.nickname.heading}</dt>
        <dd>{me.player.nickname ?? words().common.erased}</dd>
        <dt>{w.email.heading}</dt>
        <dd>{me.email}</dd>
      </dl>
      {me.createdAt && <p class="quiet">{w.since(fullMoment(me.createdAt))}</p>}
      <p class="row">
        <a href="/record">{lobby.record}</a>
        {me.isAdmin && <a href="/admin">{lobby.admin}</a>}
      </p>
      <MailLanguage me={me} onChange={onChange} />
      <div>
        <Fold name={w.nickname.change}>
          <NicknameForm me={me} onChange={onChange} />
        </Fold>
        <Fold name={w.email.change}>
          <EmailForm me={me} onChange={onChange} />
        </Fold>
        <Fold name={w.password.change}>
          <PasswordForm me={me} onChange={onChange} />
        </Fold>
      </div>
    </section>
  );
}

function MailLanguage({ me, onChange }: AccountProps) {
  const w = account.words();
  const attempt = useAttempt();
  const choose = async (locale: Locale) => {
    const done = await attempt.run(async () => {
      const { payload } = await command(ChangeLocaleDocument, {
        input: { idempotencyKey: newKey(), locale },
      });
      if (payload.viewer) onChange(payload.viewer);
      return payload.userErrors;
    });
    if (done) say(w.saved);
  };
  return (
    <label class="field">
      <span>{w.locale.heading}</span>
      <select
        value={me.locale ?? 'ZH_HANS'}
        disabled={attempt.busy.value}
        onChange={(event) => void choose(event.currentTarget.value as Locale)}
      >
        {LOCALES.map((locale) => (
          <option key={locale} value={locale}>
            {w.locale.names[locale]}
          </option>
        ))}
      </select>
    </label>
  );
}
