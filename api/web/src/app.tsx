// The frame of every page: header, bars, toasts, and the page of the path.
import { useEffect, useRef } from 'preact/hooks';
import { line } from './api/live.ts';
import { words } from './i18n/index.ts';
import { Bell } from './notices/Bell.tsx';
import { pageOf } from './pages.tsx';
import { path } from './router.ts';
import { announcement, putAway, stranger, unreachable, viewer, waiting } from './session.ts';
import { lazy } from './ui/lazy.tsx';
import { question, settle } from './ui/questions.ts';
import { recall } from './ui/store.ts';
import { Toasts } from './ui/toasts.tsx';

const Question = lazy(() => import('./ui/Question.tsx'), 'Question');

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
  const lost = line.value === 'lost' ? common.lost : unreachable.value && common.unreachable;
  return (
    <>
      <a class="skip" href="#main">
        {nav.skip}
      </a>
      <Header />
      {lost && (
        <div class="lost" role="status">
          {lost}
        </div>
      )}
      <Announced />
      <Toasts />
      <main id="main" ref={main} tabIndex={-1}>
        {pageOf(at)}
      </main>
      {question.value && <Question onClose={settle} />}
    </>
  );
}

/** What the administrators announce, until the person puts it away. */
function Announced() {
  const told = announcement.value;
  if (!told || recall('announced', '') === told.since) return null;
  return (
    <div class="announced" role="status">
      <p tabIndex={0}>{told.text}</p>
      <button type="button" onClick={() => putAway(told.since)}>
        {words().common.dismiss}
      </button>
    </div>
  );
}

function Header() {
  const { nav, brand, title } = words();
  const link = (to: string, name: string, count = 0) => (
    <a href={to} aria-current={path.value === to ? 'page' : undefined}>
      {name}
      {count > 0 && <b class="count">{count}</b>}
    </a>
  );
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
        {viewer.value ? link('/lobby', nav.lobby, waiting.value) : stranger() && link('/login', nav.login)}
        {link('/replay', nav.replay)}
        {link('/manual', nav.manual)}
        {link('/settings', nav.settings)}
      </nav>
      {viewer.value && <Bell />}
    </header>
  );
}
