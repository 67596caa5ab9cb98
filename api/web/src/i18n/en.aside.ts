// Words that a table shows at times only: questions, answers, candidates, text mode, marks, saving the replay.
import type { Seat } from '../api/generated.ts';
import { seats } from './en.names.ts';
import type { AsideWords } from './zh-Hans.aside.ts';

const aside: AsideWords = {
  skipConfirm: (n: number) =>
    `Pass without moving? Everybody may skip at most 5 times in a match; you have ${n} left.`,
  drawConfirm:
    'Offer everybody a draw? All have to accept; points do not change, and the clock goes on. Once per turn.',
  drawOffer: (seat: Seat) => `${seats[seat]} offers a draw`,
  drawOwn: 'You have offered a draw',
  drawAccepted: (list: Seat[]) =>
    list.length ? `Accepted: ${list.map((s) => seats[s]).join(', ')}` : 'Nobody has answered yet',
  drawPending: (list: Seat[]) => `To answer: ${list.map((s) => seats[s]).join(', ')}`,
  accept: 'Accept',
  decline: 'Decline',
  surrenderConfirm:
    'Surrender eliminates your seat and removes your pieces. It is not leaving: if your team-mate wins in the end, you have won too. Surrender?',
  teamConfirm: (points: number) =>
    `Give up together? When your team-mate agrees the match ends at once, ${points} points for each of you two, nothing for the others. The other side does not learn of the proposal.`,
  teamOffer: (points: number) => `Your team-mate proposes to give up together (${points} each)`,
  teamAgree: (points: number) => `Accepting ends the match now: your side gives up, ${points} each.`,
  teamOwn: 'You have proposed to give up together',
  withdraw: 'Withdraw',
  leaveConfirm: (points: number) =>
    `Leaving costs you ${points} points at once, and you cannot come back to this match. The seat becomes vacant for somebody else.`,
  leaveTyped: (points: number) => `Leave and lose ${points} points`,
  candidate: {
    heading: (seat: Seat) => `Candidate for ${seats[seat]}`,
    text: 'Look at the public board and actions before you decide. Several may look at once; the first confirmation wins. 3 hours for the first move, 16 for each later one.',
    deadline: (when: string) => `Open until ${when}`,
    confirm: 'Take over',
    confirmText:
      'The seat will be yours: move within 3 hours; leaving or timing out costs 9 points. Take over now?',
    withdraw: 'Withdraw',
    withdrawText: 'Withdrawing costs no points, but your takeover chance for this match stays used.',
    gone: 'Somebody has taken this seat, or the wait is over',
  },
  text: {
    own: 'My pieces that can move',
    targets: (piece: string) => `Where the ${piece} can go`,
    others: 'Other pieces',
    list: (seat: Seat, n: number) => `${seats[seat]}, ${n} pieces`,
    last: (s: string) => `Last move: ${s}`,
  },
  dark: 'The table page stays dark after the end. The complete replay is a file of its own.',
  marks: {
    heading: (seat: Seat) => `Mark a hidden piece of ${seats[seat]}`,
    hint: 'Only you see it. It says nothing true about the piece, and whoever takes your seat over does not inherit it.',
    signs: ['?', '!', 'hi', 'lo'],
    none: 'Remove the mark',
    colour: 'Colour',
    own: 'Your own, at most 40 characters',
    set: 'Mark',
  },
  save: {
    button: 'Save the replay',
    saved: (name: string) => `Downloaded ${name}; keep it well`,
    until: (when: string) => `The server keeps it until ${when}.`,
    gone: 'The server does not keep this match any more.',
    next: 'Open it on the home page; it is not uploaded.',
  },
};

export default aside;
