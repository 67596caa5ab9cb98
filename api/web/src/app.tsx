// The frame of every page: header, connection bar, notices, and the page of the path.
import { useEffect, useRef } from 'preact/hooks';
import { line } from './api/live.ts';
import { words } from './i18n/index.ts';
import { pageOf } from './pages.tsx';
import { path } from './router.ts';
import { lobby, unreachable, viewer } from './session.ts';
import { Questions } from './ui/dialogs.tsx';
import { Notices } from './ui/notices.tsx';

/** The whole client. */
export function App() {
  const { nav, common } = words();
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const at = path.value;
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [at]);
  return (
    <>
      <a class="skip" href="#main">
        {nav.skip}
      </a>
      <Header />
      {line.value === 'lost' && (
        <div class="lost" role="status">
          {common.lost}
        </div>
      )}
      {unreachable.value && line.value !== 'lost' && (
        <div class="lost" role="status">
          {common.unreachable}
        </div>
      )}
      <main id="main" ref={main} tabIndex={-1}>
        {pageOf(at)}
      </main>
      <Notices />
      <Questions />
    </>
  );
}

function Header() {
  const { nav, brand, title } = words();
  const waiting = lobby.value?.tables.filter((table) => table.waitsForMe).length ?? 0;
  const current = (to: string) => (path.value === to ? 'page' : undefined);
  return (
    <header>
      <a class="brand" href="/" aria-label={title}>
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <rect x="1" y="1" width="30" height="30" rx="7" />
          <path d="M12 3h8v8h-8zM12 21h8v8h-8zM3 12h8v8H3zM21 12h8v8h-8zM14 14h4v4h-4z" />
        </svg>
        <span>{brand}</span>
      </a>
      <nav aria-label={nav.main}>
        {viewer.value ? (
          <a href="/lobby" aria-current={current('/lobby')}>
            {nav.lobby}
            {waiting > 0 && <b class="count">{waiting}</b>}
          </a>
        ) : (
          <a href="/login" aria-current={current('/login')}>
            {nav.login}
          </a>
        )}
        <a href="/replay" aria-current={current('/replay')}>
          {nav.replay}
        </a>
        <a href="/manual" aria-current={current('/manual')}>
          {nav.manual}
        </a>
        <a href="/settings" aria-current={current('/settings')}>
          {nav.settings}
        </a>
      </nav>
    </header>
  );
}
