// Words that a table shows at times only: questions, answers, candidates, text mode, marks, saving the replay.
import type { Seat } from '../api/generated.ts';
import { seats } from './en.names.ts';
import type { AsideWords } from './zh-Hans.aside.ts';

const aside: AsideWords = {
  /** Between sentences. */
  stop: '. ',
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
  teamConfirm: (points: string) =>
    `Give up together? When your team-mate agrees the match ends at once, ${points} points for each of you two, nothing for the others. The other side does not learn of the proposal.`,
  teamOffer: (points: string) => `Your team-mate proposes to give up together (${points} each)`,
  teamAgree: (points: string) =>
    `Accepting ends the match now: your side gives up, ${points} for each of you, nothing for the others.`,
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
    seats: 'The four seats',
    own: 'My pieces that can move',
    targets: (piece: string, n: number) => `${piece}: ${n} ${n === 1 ? 'place' : 'places'} to go`,
    swaps: (piece: string) => `The ${piece} can change places with`,
    rest: (n: number) => `My other pieces, which cannot move now: ${n}`,
    wait: (n: number) => `Not your turn yet; my pieces, which have to wait: ${n}`,
    others: 'Everybody else’s pieces',
    list: (seat: Seat, who: string, n: number) =>
      `${seats[seat]} (${who}): ${n} ${n === 1 ? 'piece' : 'pieces'}`,
    mark: 'Pick a hidden piece to put a mark on it that only you see.',
    last: (seat: Seat, move: string) => `Last move by ${seats[seat]}: ${move}`,
  },
  idle: {
    never: (piece: string) => `A ${piece} never moves`,
    headquarters: (piece: string) => `Pieces in a headquarters never move: ${piece}`,
    blocked: (piece: string) => `This ${piece} has nowhere to go now`,
    wait: (piece: string) => `Not your turn yet: the ${piece} has to wait`,
  },
  battle: {
    takes: (piece: string, other: Seat) => `Your ${piece} took a piece of ${seats[other]}`,
    falls: (piece: string, other: Seat) => `Your ${piece} ran into a piece of ${seats[other]} and fell`,
    holds: (piece: string, other: Seat) => `Your ${piece} held against a piece of ${seats[other]}`,
    taken: (piece: string, other: Seat) => `Your ${piece} was taken by a piece of ${seats[other]}`,
    both: (piece: string, other: Seat) => `Your ${piece} and a piece of ${seats[other]} both fell`,
  },
  first: {
    heading: 'Your first time?',
    deploy:
      '25 pieces a seat: the flag in a headquarters, mines in the last two rows, no bomb in the front row, camps empty. When you are happy with it, choose “Ready”; once all four are ready, the match starts.',
    play: 'On your turn pick one of your pieces: what lights up is where it can go. Pick the target, read the sentence, confirm. Dots are empty places, corners are pieces that you can attack.',
  },
  gone: {
    notFound: 'There is no such table, or it is not yours',
    notFoundHint: 'You see this when your takeover chance is used up, or the match belongs to others.',
    over: 'Your candidacy is over',
    overHint: 'The seat was taken, or the match ended.',
  },
  fair: 'Fair draw',
  fairText:
    'Who moves first, seats and first formations are drawn from a seed that was sealed when the table opened. This is the seed’s BLAKE3 commitment; it can be checked after the end.',
  next: { record: 'My record', again: 'New game', lobby: 'To the lobby' },
  dark: 'This page keeps the pieces hidden after the end. The complete replay is a file of its own.',
  marks: {
    heading: (seat: Seat) => `Mark a hidden piece of ${seats[seat]}`,
    hint: 'Only you see it. It is your guess, not what the piece is, and whoever takes over your seat does not get it.',
    signs: ['?', '!', 'hi', 'lo'],
    none: 'Remove the mark',
    colour: 'Colour',
    own: 'Your own, at most 40 characters',
    set: 'Mark',
  },
  save: {
    button: 'Save replay',
    saved: (name: string) => `Downloaded ${name}; keep it well`,
    until: (when: string) =>
      `The server keeps it until ${when}. Open saved replays under “Replay”; nothing is uploaded.`,
    gone: 'The server does not keep this match any more.',
  },
};

export default aside;
