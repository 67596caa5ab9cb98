// The bell of the header: how many notices are unread; the list is loaded when somebody opens it. With permission,
// notices of an open page are shown by the browser, too.
import { effect, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { speakPages, words } from '../i18n/index.ts';
import { path } from '../router.ts';
import { notices } from '../session.ts';
import { settings } from '../settings.ts';
import { lazy } from '../ui/lazy.tsx';

const Panel = lazy(() => import('./Panel.tsx'), 'Panel', speakPages);

/** The bell. */
export function Bell() {
  const open = useSignal(false);
  const unread = notices.value?.unread ?? 0;
  useEffect(() => {
    open.value = false;
  }, [path.value]);
  useEffect(
    () =>
      effect(() => {
        const now = notices.value;
        if (now && settings.value.notify && globalThis.Notification?.permission === 'granted')
          void import('./browser.ts').then((browser) => browser.show(now.latest));
      }),
    [],
  );
  return (
    <div class="bell">
      <button
        type="button"
        class="icon"
        aria-label={words().nav.notices(unread)}
        aria-expanded={open.value}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M12 3a6 6 0 0 0-6 6v4l-2 4h16l-2-4V9a6 6 0 0 0-6-6zM9.5 19a2.5 2.5 0 0 0 5 0" />
        </svg>
        {unread > 0 && <b class="count">{unread > 99 ? '99+' : unread}</b>}
      </button>
      {open.value && (
        <Panel
          onClose={() => {
            open.value = false;
          }}
        />
      )}
    </div>
  );
}
