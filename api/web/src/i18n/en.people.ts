// The words of leaderboard, profiles and the own record.
import type { Seat } from '../api/generated.ts';
import { seats } from './en.names.ts';
import type { PeopleWords } from './zh-Hans.people.ts';

const people: PeopleWords = {
  leaderboard: 'Leaderboard',
  players: (n: number) => (n === 1 ? '1 player' : `${n} players`),
  periods: { ALL_TIME: 'All time', THIRTY_DAYS: '30 days' },
  orders: { POINTS: 'By points', WINS: 'By wins' },
  period: 'Time',
  order: 'Order',
  nobody: 'Nobody has finished a match yet. The first place is free.',
  rank: 'Rank',
  name: 'Nickname',
  points: 'Points',
  wins: 'Won',
  losses: 'Lost',
  draws: 'Drawn',
  noResults: 'No result',
  matches: 'Matches',
  leaves: 'Left',
  timeouts: 'Timed out',
  takeovers: 'Takeovers',
  more: 'Show more',
  profile: 'Player',
  ranked: (n: number) => `Rank ${n}`,
  unranked: 'not listed',
  missing: 'There is no such player',
  house: 'House players are played by the server and are not ranked.',
  record: 'My record',
  ledger: 'Points',
  results: 'Matches played',
  balance: 'Balance',
  causes: {
    ADJUSTED: 'adjusted by an administrator',
    LEFT: 'left',
    SETTLED: 'match ended:',
    TIMED_OUT: 'timed out',
  },
  result: { WIN: 'won', LOSS: 'lost', DRAW: 'drawn', NO_RESULT: 'no result' },
  seat: (seat: Seat) => seats[seat],
  takenOver: 'takeover',
  table: 'table',
  noLedger: 'No change of points yet. They are listed here once you have finished a match.',
  nothing: 'No finished matches yet.',
  toLobby: 'Find a match in the lobby',
  toBoard: 'Leaderboard',
};

export default people;
