// The pages beside the table. A new page is a file and a line here; each is loaded when somebody goes there.
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { speakPages, words } from '../i18n/index.ts';
import { loading, Members } from '../pages.tsx';
import { go } from '../router.ts';
import { viewer, wanted } from '../session.ts';
import { lazy } from '../ui/lazy.tsx';
import { useTitle } from '../ui/title.ts';
import '../styles/pages.css';

/** A page: its words come along. */
const page = <M, N extends keyof M>(load: () => Promise<M>, name: N, more: () => unknown = () => {}) =>
  lazy(load, name, () => Promise.all([speakPages(), more()]), loading);

const speakPeople = async () => (await import('../i18n/people.ts')).people.speak();
const speakAdmin = async () => (await import('../i18n/admin.ts')).admin.speak();
const people = () => import('./people/index.ts');
const entry = () => import('./home/entry.ts');

const Home = page(() => import('./home/HomePage.tsx'), 'HomePage');
const Login = page(entry, 'LoginPage');
const Register = page(entry, 'RegisterPage');
const Reset = page(entry, 'ResetPage');
const Replay = page(() => import('./replay/ReplayPage.tsx'), 'ReplayPage');
const Manual = page(() => import('./manual/ManualPage.tsx'), 'ManualPage');
const Settings = page(() => import('./settings/SettingsPage.tsx'), 'SettingsPage');
const Lobby = page(() => import('./lobby/LobbyPage.tsx'), 'LobbyPage');
const Notices = page(() => import('./notices/NoticesPage.tsx'), 'NoticesPage');
const Leaderboard = page(people, 'LeaderboardPage', speakPeople);
const Player = page(people, 'PlayerPage', speakPeople);
const Record = page(people, 'RecordPage', speakPeople);
const Admin = page(() => import('./admin/AdminPage.tsx'), 'AdminPage', speakAdmin);

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

/** Shows a page to those who are not logged in; who is, or has just been, goes on to where they wanted to go. */
function Strangers({ children }: { children: VNode }) {
  const inside = !!viewer.value;
  useEffect(() => {
    if (!inside) return;
    go(wanted.peek(), true);
    wanted.value = '/lobby';
  }, [inside]);
  return inside ? loading() : children;
}

const OPEN = {
  '': () => <Home />,
  login: () => (
    <Strangers>
      <Login />
    </Strangers>
  ),
  register: () => (
    <Strangers>
      <Register />
    </Strangers>
  ),
  reset: () => <Reset />,
  replay: () => <Replay />,
  manual: () => <Manual />,
  settings: () => <Settings />,
} satisfies Record<string, () => VNode>;
const MEMBERS = {
  lobby: () => <Lobby />,
  notices: () => <Notices />,
  leaderboard: () => <Leaderboard />,
  player: (id: string) => <Player key={id} id={id} />,
  record: () => <Record />,
  admin: () => (viewer.value?.isAdmin ? <Admin /> : <Missing />),
} satisfies Record<string, (id: string) => VNode>;

const has = <T extends object>(pages: T, name: string): name is keyof T & string =>
  Object.hasOwn(pages, name);

/** The page of a path beside the table. */
export function Other({ at }: { at: string }) {
  const [, first = '', second = ''] = at.split('/');
  if (has(OPEN, first)) return OPEN[first]();
  if (has(MEMBERS, first)) return <Members>{viewer.value ? MEMBERS[first](second) : <Missing />}</Members>;
  return <Missing />;
}
