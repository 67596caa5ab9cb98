// Which page a path has. A new page is a file and a line here; each is loaded when somebody goes there.
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { speakPages, words } from './i18n/index.ts';
import { go, path } from './router.ts';
import { refresh, unreachable, viewer, wanted } from './session.ts';
import { lazy } from './ui/lazy.tsx';
import { useTitle } from './ui/title.ts';

const loading = () => <p class="page quiet loading">{words().common.loading}</p>;

/** A page beside the table: its words come along. */
function page<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(async () => (await Promise.all([load(), speakPages()]))[0], loading);
}

const Home = page(async () => (await import('./pages/home/HomePage.tsx')).HomePage);
const Login = page(async () => (await import('./pages/home/LoginPage.tsx')).LoginPage);
const Register = page(async () => (await import('./pages/home/RegisterPage.tsx')).RegisterPage);
const Lobby = page(async () => (await import('./pages/lobby/LobbyPage.tsx')).LobbyPage);
const Table = lazy(async () => (await import('./pages/table/TablePage.tsx')).TablePage, loading);
const replayPage = async () => (await import('./pages/replay/ReplayPage.tsx')).ReplayPage;
const Replay = page(replayPage);
const Manual = page(async () => (await import('./pages/manual/ManualPage.tsx')).ManualPage);
const Settings = page(async () => (await import('./pages/settings/SettingsPage.tsx')).SettingsPage);

/** Loads the replay viewer ahead. */
export const warmReplay = (): Promise<unknown> => Promise.all([replayPage(), speakPages()]);

/** Shows a page to those who are logged in; others are asked to log in first. */
function Members({ children }: { children: VNode }) {
  const { common } = words();
  const nobody = viewer.value === null;
  useEffect(() => {
    if (!nobody) return;
    wanted.value = path.peek();
    go('/login', true);
  }, [nobody]);
  if (viewer.value) return children;
  if (!unreachable.value) return loading();
  return (
    <div class="page narrow centred">
      <h1>{common.unreachable}</h1>
      <button type="button" onClick={() => void refresh()}>
        {common.retry}
      </button>
    </div>
  );
}

function Missing() {
  const { common, nav } = words();
  useTitle(common.missing);
  return (
    <div class="page narrow centred">
      <h1>{common.missing}</h1>
      <p class="quiet">{common.missingHint}</p>
      <a class="button main" href="/">
        {nav.home}
      </a>
    </div>
  );
}

/** The page of a path. */
export function pageOf(at: string): VNode {
  const [, first = '', second] = at.split('/');
  switch (first) {
    case '':
      return <Home />;
    case 'login':
      return <Login />;
    case 'register':
      return <Register />;
    case 'lobby':
      return (
        <Members>
          <Lobby />
        </Members>
      );
    case 'table':
      return (
        <Members>
          <Table key={second} id={second ?? ''} />
        </Members>
      );
    case 'replay':
      return <Replay />;
    case 'manual':
      return <Manual />;
    case 'settings':
      return <Settings />;
    default:
      return <Missing />;
  }
}
