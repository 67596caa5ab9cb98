// The page of settings: this device for everybody, the account for those who have one. A section is a file of its own.
import { account } from '../../i18n/account.ts';
import { pageWords } from '../../i18n/index.ts';
import { viewer } from '../../session.ts';
import { lazy } from '../../ui/lazy.tsx';
import { useTitle } from '../../ui/title.ts';
import { DeviceSection } from './DeviceSection.tsx';
import '../../styles/forms.css';

const AccountSections = lazy(() => import('./AccountSections.tsx'), 'AccountSections', account.speak);

/** The page of settings. */
export function SettingsPage() {
  const { settings: w } = pageWords();
  useTitle(w.heading);
  return (
    <div class="page narrow settings">
      <h1>{w.heading}</h1>
      <DeviceSection />
      {viewer.value && <AccountSections />}
    </div>
  );
}
