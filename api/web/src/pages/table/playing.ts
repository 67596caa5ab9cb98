// What the table shows from the start on, loaded together.
export { LogPanel } from './LogPanel.tsx';
export { PlayBar } from './PlayBar.tsx';
