// The pages about players, loaded together: people go from one to the other.
export { LeaderboardPage } from './LeaderboardPage.tsx';
export { PlayerPage } from './PlayerPage.tsx';
export { RecordPage } from './RecordPage.tsx';
