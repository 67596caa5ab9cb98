// What the table shows from the start on, loaded together.
export { LogPanel } from './LogPanel.tsx';
export { MyPieces } from './MyPieces.tsx';
export { PlayBar } from './PlayBar.tsx';
