// What a table tells beside the match, loaded together.
export { FairDraw } from './FairDraw.tsx';
export { FirstHint } from './FirstHint.tsx';
export { MyPieces } from './MyPieces.tsx';
