// The board as a picture for the home page: real ground, three dark sides and the own formation.
import { campSeal, Ground } from '../../board/Ground.tsx';
import { NODES, type Piece } from '../../board/nodes.ts';
import { PieceMark } from '../../board/PieceMark.tsx';
import type { Shown } from '../../board/pieces.ts';
import { boxOf, fit, type View } from '../../board/tracks.ts';
import { pageWords } from '../../i18n/index.ts';

const VIEW: View = { tracks: fit(700, 700), bottom: 'S' };
/** A usual formation by rows from the front. */
const OWN: readonly (readonly (Piece | null)[])[] = [
  ['COLONEL', 'CAPTAIN', 'MAJOR_GENERAL', 'CAPTAIN', 'COMMANDER'],
  ['BRIGADIER', null, 'BOMB', null, 'BRIGADIER'],
  ['MAJOR', 'ENGINEER', null, 'ENGINEER', 'MAJOR'],
  ['GENERAL', null, 'BOMB', null, 'MAJOR_GENERAL'],
  ['ENGINEER', 'MINE', 'LIEUTENANT', 'CAPTAIN', 'COLONEL'],
  ['LIEUTENANT', 'FLAG', 'MINE', 'LIEUTENANT', 'MINE'],
];

const PIECES: readonly Shown[] = NODES.filter((node) => node.seat && node.kind !== 'camp').map((node) => ({
  handle: node.id,
  at: node.id,
  seat: node.seat ?? 'S',
  identity: node.seat === 'S' ? (OWN[node.row - 1]?.[node.col - 1] ?? null) : null,
}));

/** The picture. */
export function Emblem() {
  const { width, height } = VIEW.tracks;
  return (
    <svg
      class="board emblem"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={pageWords().home.pictureLabel}
    >
      <Ground view={VIEW} seal={campSeal()} />
      {PIECES.map((piece) => {
        const node = NODES.find((one) => one.id === piece.at);
        if (!node) return null;
        const cell = boxOf(node, VIEW);
        return (
          <g
            key={piece.handle}
            class={`piece side-${piece.seat} ${piece.identity ? 'open' : 'dark'}`}
            transform={`translate(${cell.x} ${cell.y})`}
          >
            <PieceMark piece={piece} width={cell.width} height={cell.height} scale={1} />
          </g>
        );
      })}
    </svg>
  );
}
