// In development mode mails land in a local mailbox: the way there. That mode listens on loopback alone, so nobody else
// is asked for it.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { pageWords } from '../i18n/index.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A link to the mailbox, where there is one. */
export function DevMail() {
  const there = useSignal(false);
  useEffect(() => {
    if (!LOOPBACK.test(location.hostname)) return;
    fetch('/dev/mail')
      .then((answer) => {
        there.value = answer.ok;
      })
      .catch(() => {});
  }, []);
  if (!there.value) return null;
  return (
    <p>
      <a href="/dev/mail" target="_blank" rel="noreferrer">
        {pageWords().account.devMail}
      </a>
    </p>
  );
}
