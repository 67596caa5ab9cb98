// English.
import type { Piece, Seat } from '../api/generated.ts';
import { kinds, long, names, palace, seats, short, sides, span } from './en.names.ts';
import { table } from './en.table.ts';
import type { Messages } from './zh-Hans.ts';

const messages: Messages = {
  title: 'Yibu · four-nation Junqi',
  brand: 'Yibu',
  nav: {
    login: 'Log in',
    lobby: 'Lobby',
    replay: 'Replay',
    manual: 'Manual',
    notices: (n: number) => (n ? `Notices, ${n} unread` : 'Notices'),
    settings: 'Settings',
    home: 'Home',
    main: 'Main navigation',
    skip: 'Skip to content',
  },
  seats,
  sides,
  pieces: { names, long, short },
  span,
  common: {
    cancel: 'Cancel',
    close: 'Close',
    loading: 'Loading…',
    retry: 'Try again',
    lost: 'Connection lost, trying again. The board may not be the latest.',
    unreachable: 'The server cannot be reached. Check your connection and try again.',
    missing: 'There is no such page',
    missingHint: 'The address may be mistyped, or the page is gone.',
    dismiss: 'Got it',
    house: 'House player',
    erased: 'deleted account',
    after: (seconds: number) => ` Try again in about ${span(seconds * 1000)}.`,
  },
  board: {
    campSeal: '',
    label: (seat: Seat) =>
      `Board, ${seats[seat]} at the bottom. Arrows move, Enter picks, Escape puts down, N goes to the next piece that you can pick, T reads where it can go, 0 to 5 zoom.`,
    place: (seat: Seat | null, row: number, col: number) =>
      seat ? `${seats[seat]} ${row}-${col}` : (palace[(row - 1) * 3 + col - 1] ?? ''),
    kind: kinds,
    empty: 'empty',
    hidden: (seat: Seat) => `hidden piece of ${seats[seat]}`,
    own: (piece: Piece) => `your ${names[piece]}`,
    known: (seat: Seat, piece: Piece) => `${names[piece]} of ${seats[seat]}`,
    marked: (mark: string) => `marked “${mark}”`,
    colours: { VIOLET: 'violet', RED: 'red', BLUE: 'blue', GREEN: 'green', AMBER: 'amber' },
    canMove: 'can move',
    canSwap: (piece: Piece) =>
      `can change places${{ FLAG: ' with the other headquarters', MINE: ' within the last two rows', BOMB: ' behind the front row' }[piece as string] ?? ''}`,
    target: 'can go here',
    attack: 'can be attacked',
    selected: 'selected',
    chosen: 'target',
    swap: 'can change places',
    zoom: 'Zoom',
    regions: {
      all: 'whole board',
      bottom: 'bottom area',
      right: 'right area',
      top: 'top area',
      left: 'left area',
      centre: 'palace',
    },
    join: ', ',
  },
  table,
};

export default messages;
