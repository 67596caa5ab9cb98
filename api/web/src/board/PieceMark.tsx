// One piece as a wooden tile: open with its rank, or a solid back with its seat's glyph.
import { words } from '../i18n/index.ts';
import { GLYPHS, type Shown } from './pieces.ts';
import { beginning } from './signs.ts';

/** The least height of letters, in pixels on the screen. */
const LEAST = 12;
/** The same of a mark, which shows as many of its first characters as fit. */
const LEAST_MARK = 9;
const MOST_OF_MARK = 3;

/** The height at which a text fills a width. */
function filling(text: string, width: number): number {
  const perCharacter = /^[ -~]/.test(text) ? 0.78 : 1;
  return (width * 0.84) / ([...text].length * perCharacter);
}

interface Props {
  piece: Shown;
  /** The cell that it fills. */
  width: number;
  height: number;
  /** Pixels on the screen for one of the picture. */
  scale: number;
}

/** A piece around the origin. */
export function PieceMark({ piece, width, height, scale }: Props) {
  const w = width * 0.86;
  const h = height * 0.84;
  const side = Math.min(w, h);
  const radius = side * 0.15;
  const lift = Math.max(1, side * 0.055);
  const box = { x: -w / 2, y: -h / 2, width: w, height: h, rx: radius };
  return (
    <>
      <rect class="edge" {...box} y={-h / 2 + lift} />
      <rect class="face" {...box} stroke-width={Math.max(1.1, side * 0.055)} />
      {piece.identity ? (
        <Rank piece={piece} w={w} h={h} scale={scale} />
      ) : (
        <Back piece={piece} w={w} h={h} scale={scale} />
      )}
    </>
  );
}

interface FaceProps {
  piece: Shown;
  w: number;
  h: number;
  scale: number;
}

function Rank({ piece, w, h, scale }: FaceProps) {
  if (!piece.identity) return null;
  const { long, short } = words().pieces;
  const whole = long[piece.identity];
  const text = filling(whole, w) * scale >= LEAST ? whole : short[piece.identity];
  return <Label least={LEAST} {...{ text, w, h, scale }} />;
}

/** A text that fills a face, not below its least size in pixels on the screen. */
function Label({ text, w, h, scale, least }: Omit<FaceProps, 'piece'> & { text: string; least: number }) {
  return (
    <text class="rank" font-size={Math.max(least / scale, Math.min(filling(text, w), h * 0.62))} dy="0.355em">
      {text}
    </text>
  );
}

function Back({ piece: { seat, mark, colour }, w, h, scale }: FaceProps) {
  // The beginning of the text, else of the colour's name: a colour is never the only sign.
  const sign = mark || (colour && words().board.colours[colour]);
  const side = Math.min(w, h);
  const inset = side * 0.13;
  const inner = (w - 2 * inset) * 1.12;
  let text = sign && beginning(sign, mark ? MOST_OF_MARK : 1);
  for (let n = MOST_OF_MARK; text && n > 1 && filling(text, inner) * scale < LEAST_MARK; n -= 1)
    text = beginning(text, n - 1);
  return (
    <>
      <rect
        class="inlay"
        x={-w / 2 + inset}
        y={-h / 2 + inset}
        width={w - 2 * inset}
        height={h - 2 * inset}
        rx={side * 0.07}
      />
      {text ? (
        <g class={colour?.toLowerCase()}>
          <Label least={LEAST_MARK} w={inner} {...{ text, h, scale }} />
        </g>
      ) : (
        <path class="glyph" d={GLYPHS[seat]} transform={`scale(${side * 0.17})`} />
      )}
    </>
  );
}
