// Logging out on this device. Seats stay.
import { LogoutDocument } from '../../api/generated.account.ts';
import { ask } from '../../api/http.ts';
import { account } from '../../i18n/account.ts';
import { go } from '../../router.ts';
import { leave } from '../../session.ts';
import { sayFault } from '../../ui/toasts.tsx';

/** The button that logs out. */
export function Logout() {
  const w = account.words();
  const logout = async () => {
    try {
      await ask(LogoutDocument, {});
      leave();
      go('/');
    } catch (fault) {
      sayFault(fault);
    }
  };
  return (
    <div>
      <button type="button" onClick={logout}>
        {w.logout}
      </button>
      <p class="quiet">{w.logoutHint}</p>
    </div>
  );
}
