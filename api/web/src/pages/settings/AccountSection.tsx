// Who is logged in, and logging out.
import type { MeFragment } from '../../api/generated.ts';
import { pageWords } from '../../i18n/index.ts';
import { go } from '../../router.ts';
import { logout } from '../../session.ts';
import { sayFault } from '../../ui/notices.tsx';

/** The account's section of the settings. */
export function AccountSection({ me, since }: { me: MeFragment; since: string | null }) {
  const { settings, account } = pageWords();
  const leave = async () => {
    try {
      await logout();
      go('/');
    } catch (fault) {
      sayFault(fault);
    }
  };
  return (
    <section class="card form">
      <h2>{settings.account}</h2>
      <dl class="facts-list">
        <dt>{account.nickname}</dt>
        <dd>{me.player.nickname}</dd>
        <dt>{account.email}</dt>
        <dd>{me.email}</dd>
      </dl>
      {since && <p class="quiet">{settings.since(since)}</p>}
      <div>
        <button type="button" onClick={leave}>
          {account.logout}
        </button>
        <p class="quiet">{account.logoutHint}</p>
      </div>
    </section>
  );
}
