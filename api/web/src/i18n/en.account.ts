// The words of the account's settings: nickname, address, password, logins, reminders, data.
import type { ReminderKind, ReminderMode } from '../api/generated.ts';
import type { AccountWords } from './zh-Hans.account.ts';

const tables = (n: number) => `${n} ${n === 1 ? 'table' : 'tables'}`;

const account: AccountWords = {
  heading: 'Account',
  since: (when: string) => `Since ${when}`,
  save: 'Save',
  saved: 'Saved',
  nickname: {
    heading: 'Nickname',
    left: (n: number) =>
      n
        ? `At most two changes in any 365 days; ${n} left.`
        : 'At most two changes in any 365 days; none is left.',
    again: (when: string) => `You can change it again from ${when}.`,
    change: 'Change nickname',
  },
  email: {
    heading: 'Email address',
    now: (email: string) => `Now ${email}`,
    fresh: 'New address',
    send: 'Send a code to the new address',
    sent: (email: string) => `A code was sent to ${email}.`,
    change: 'Change address',
    done: 'The address is changed; other logins have ended',
  },
  password: {
    heading: 'Password',
    current: 'Current password',
    fresh: 'New password',
    change: 'Change password',
    done: 'The password is changed; other logins have ended',
  },
  locale: {
    heading: 'Language of mails',
    names: { ZH_HANS: '简体中文', ZH_HANT: '繁體中文', EN: 'English' },
  },
  logout: 'Log out',
  logoutHint: 'Logs out this device only. You keep your seats.',
  sessions: {
    heading: 'Logged-in devices',
    here: 'this device',
    unknown: 'unknown device',
    seen: (when: string) => `last used ${when}`,
    network: (text: string) => `network ${text}`,
    end: 'End',
    endOthers: 'End all other logins',
    ended: (n: number) => (n === 1 ? '1 login ended' : `${n} logins ended`),
    alone: 'Only this device is logged in.',
  },
  reminders: {
    heading: 'Reminders by mail',
    modes: {
      SMART: [
        'Smart',
        'Tables together, at least 2 hours apart and at most 3 a day; one more near the deadline.',
      ],
      DEADLINE_ONLY: ['Deadlines only', 'One mail when less than 1 hour is left.'],
      OFF: ['Off', 'No mails about turns. Codes and security mails still come.'],
    } as Record<ReminderMode, [string, string]>,
    from: 'From',
    to: 'To',
    window: 'Receiving hours',
    windowHint:
      'Equal times mean the whole day; 22:00 to 08:00 goes over midnight. Outside these hours mails wait and are checked again.',
    zone: 'Time zone',
    upcoming: 'What will be sent next',
    none: 'No reminder is due to be sent.',
    what: (kind: ReminderKind, n: number) =>
      ({
        NORMAL: `your turn at ${tables(n)}`,
        DEADLINE: `last hour at ${tables(n)}`,
        TIMED_OUT: `time ran out at ${tables(n)}`,
      })[kind],
    table: 'table',
  },
  data: {
    heading: 'My data',
    export: 'Export my data',
    exportHint: 'Downloads everything the server stores about you (JSON).',
    remove: 'Delete the account',
    removeHint: 'A deleted account cannot be restored. What it means:',
    removeCosts: [
      'You leave every running match: 9 points each, no way back, and somebody else takes over the seat. Seats in matches that have not started are freed at no cost; candidacies end.',
      'Ended matches can no longer be opened, and no more replays are mailed: save what you want to keep first.',
      'Nickname, password, settings, notices, private marks and all logins are erased; the nickname is free for others. Matches and replays show “deleted account”; points and record leave the leaderboard for good.',
      'Your mail address gets one last mail that confirms it, and none after that. You may register with it again and start from scratch.',
    ],
    removeSure: (held: number) =>
      held
        ? `You hold ${held} ${held === 1 ? 'seat' : 'seats'}: each in a running match costs 9 points, those in matches not started cost none. A deleted account cannot be restored. Delete it?`
        : 'You hold no seat, so no points are lost. A deleted account cannot be restored. Delete it?',
    removed: 'The account is deleted',
  },
};

export default account;
