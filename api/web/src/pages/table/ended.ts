// What the table shows after the end, loaded together.
export { EndBar } from './EndBar.tsx';
export { EndCard } from './EndCard.tsx';
export { SaveReplay } from './SaveReplay.tsx';
