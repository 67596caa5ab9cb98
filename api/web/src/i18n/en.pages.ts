// The words of the pages beside the table; read when somebody goes there.
import type { Seat } from '../api/generated.ts';
import { seats, span } from './en.names.ts';
import { replay } from './en.replay.ts';
import type { PageWords } from './zh-Hans.pages.ts';

const pages: PageWords = {
  home: {
    heading: 'Four-nation Junqi, at your own pace',
    lines: [
      'Four people in two teams, four-dark: you see your own pieces only, and your team-mate sits opposite.',
      'You have 16 hours for each turn; nobody has to be online together.',
      'When somebody leaves, the match goes on: somebody else takes the seat over.',
    ],
    enter: 'To the lobby',
    register: 'Register',
    login: 'Log in',
    replay: 'Open a replay',
    replayHint:
      'Your own .yibu-replay.json, read on this device and not uploaded; works logged out and offline.',
    manual: 'Commander’s manual',
    manualHint: 'Rules, clocks, points and takeovers in five minutes.',
    welcome: (name: string) => `Welcome back, ${name}`,
    waiting: (n: number) =>
      n ? `${n} ${n === 1 ? 'table waits' : 'tables wait'} for you` : 'no table waits for you now',
    pictureLabel: 'The four-nation board: four formations around the nine palace',
  },
  account: {
    loginHeading: 'Log in',
    registerHeading: 'Register',
    email: 'Mail address',
    password: 'Password',
    passwordHint: '10 to 128 characters; no common ones.',
    nickname: 'Nickname',
    nicknameHint: '1 to 16 characters; at most two changes in any 365 days.',
    code: 'The 6-digit code from the mail',
    codeSent: (email: string, minutes: number) =>
      `A code was sent to ${email}. It is valid for ${minutes} minutes. Look into the spam folder if it does not come.`,
    sendCode: 'Send the code',
    sendAgain: 'Send another',
    sendAgainIn: (seconds: number) => `Another in ${seconds} s`,
    create: 'Make the account',
    login: 'Log in',
    toLogin: 'You have an account? Log in',
    toRegister: 'No account? Register',
    otherEmail: 'Another address',
    steps: ['Mail address', 'Code and nickname'],
    logout: 'Log out',
    logoutHint: 'Ends the login only. Your seats stay.',
  },
  lobby: {
    heading: 'Lobby',
    waitsHeading: 'Waiting for you',
    othersHeading: 'Running',
    endedHeading: 'Ended lately',
    newGame: 'New game',
    newGameHint: 'Table, seat, team-mate and opponents are drawn at random.',
    takeover: 'Takeover',
    takeoverHint:
      'Look at a vacant seat that waits for someone; take it over if you like. One chance per match.',
    count: (held: number, limit: number) => `${held} held of ${limit}`,
    open: (n: number) =>
      n ? `${n} ${n === 1 ? 'table has' : 'tables have'} room` : 'A new table opens for you',
    vacancies: (n: number) =>
      n ? `${n} vacant ${n === 1 ? 'seat waits' : 'seats wait'}` : 'No vacant seat waits now',
    full: 'You have as many as you may; finish one first',
    closed: 'Paused by the administrator',
    emptyHeading: 'No matches yet',
    empty:
      'Choose “New game”: you get a table, a seat and a legal formation. With four people ready the match starts.',
    arranging: 'Arrange your pieces, then be ready',
    ready: 'Ready; waiting for the others',
    taken: (taken: number, readyCount: number) => `${taken} of 4 seated, ${readyCount} ready`,
    yourTurn: 'Your turn',
    turnOf: (seat: Seat) => `${seats[seat]} to move`,
    vacantOf: (seat: Seat) => `${seats[seat]} is vacant and waits`,
    drawWaiting: 'a draw offer waits for your answer',
    surrenderWaiting: 'your team-mate proposes to give up',
    eliminated: 'Your seat is eliminated; waiting for the end',
    candidate: (seat: Seat) => `You are a candidate for ${seats[seat]}`,
    ended: (when: string) => `ended ${when}`,
    left: (ms: number) => `${span(ms)} left`,
    until: (when: string) => `until ${when}`,
  },
  settings: {
    heading: 'Settings',
    here: 'These are kept on this device only.',
    language: 'Language',
    theme: 'Colours',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    confirm: 'Confirm moves',
    confirmHint: 'Shows the move in words before it is sent. Without it, picking a target sends the move.',
    text: 'Text mode at the table',
    textHint: 'Lists instead of the board, for screen readers.',
    sound: 'Sound',
    soundHint: 'Tones for moves, battles and your turn.',
    account: 'Account',
    since: (when: string) => `Since ${when}`,
  },
  manual: { heading: 'Commander’s manual', contents: 'Contents' },
  replay,
};

export default pages;
