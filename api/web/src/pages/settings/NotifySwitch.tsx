// Browser notifications: the browser is asked for its permission only when the person wishes for them.
import { useSignal } from '@preact/signals';
import { pageWords } from '../../i18n/index.ts';
import { change, settings } from '../../settings.ts';
import { Switch } from './Switch.tsx';

/** The setting of browser notifications, with what the browser allows. */
export function NotifySwitch() {
  const { settings: w } = pageWords();
  const allowed = useSignal<NotificationPermission | 'none'>(globalThis.Notification?.permission ?? 'none');
  const set = async (notify: boolean) => {
    if (notify && allowed.value === 'default') allowed.value = await Notification.requestPermission();
    change({ notify });
  };
  return (
    <div>
      <Switch
        label={w.notify}
        hint={w.notifyHint}
        on={settings.value.notify && allowed.value === 'granted'}
        disabled={allowed.value === 'denied' || allowed.value === 'none'}
        set={(on) => void set(on)}
      />
      {allowed.value === 'denied' && <p class="quiet">{w.notifyBlocked}</p>}
      {allowed.value === 'none' && <p class="quiet">{w.notifyNone}</p>}
    </div>
  );
}
