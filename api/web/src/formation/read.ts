// Reads formation files: our own, QQ's .jql, and the text layouts of two open programs. Bad files give null; nothing
// is guessed. Loaded when somebody imports.
import { kindAt, type Piece } from '../board/nodes.ts';
import { PLACES, type Placed } from './rules.ts';

/** The largest file that is looked at. */
export const MOST_BYTES = 64 * 1024;

/** The pieces of a formation file; null when it is none that can be read. */
export function readFormation(bytes: Uint8Array): Placed[] | null {
  return readJql(bytes) ?? readText(new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes).trim());
}

const CODES: Record<string, Piece> = {
  commander: 'COMMANDER',
  general: 'GENERAL',
  major_general: 'MAJOR_GENERAL',
  brigadier: 'BRIGADIER',
  colonel: 'COLONEL',
  major: 'MAJOR',
  captain: 'CAPTAIN',
  lieutenant: 'LIEUTENANT',
  engineer: 'ENGINEER',
  bomb: 'BOMB',
  mine: 'MINE',
  flag: 'FLAG',
};

const JQL_MAGIC = 'QQGame JQL File\0';
/** By byte: nothing, unknown, then flag, mine, bomb and the ranks from the strongest. */
const JQL_PIECES: readonly (Piece | null)[] = [
  null,
  null,
  'FLAG',
  'MINE',
  'BOMB',
  'COMMANDER',
  'GENERAL',
  'MAJOR_GENERAL',
  'BRIGADIER',
  'COLONEL',
  'MAJOR',
  'CAPTAIN',
  'LIEUTENANT',
  'ENGINEER',
];

/** 16 bytes of name, 1111 as a little-endian word, then 6 × 5 pieces from the front row. */
function readJql(bytes: Uint8Array): Placed[] | null {
  if (bytes.length < 50) return null;
  if (![...JQL_MAGIC].every((c, i) => bytes[i] === c.charCodeAt(0))) return null;
  if (![0x57, 4, 0, 0].every((byte, i) => bytes[16 + i] === byte)) return null;
  const placed: Placed[] = [];
  for (let i = 0; i < 30; i += 1) {
    const row = Math.floor(i / 5) + 1;
    const col = (i % 5) + 1;
    const byte = bytes[20 + i] ?? 0;
    if (byte === 0) continue;
    const piece = JQL_PIECES[byte];
    if (!piece || kindAt(row, col) === 'camp') return null;
    placed.push({ row, col, piece });
  }
  return placed;
}

function readText(text: string): Placed[] | null {
  if (text.startsWith('{')) return readOwn(text);
  const letters = /^(?:SIGUOSET\|v=1\|)?([A-Z]{25})$/.exec(text)?.[1];
  if (letters) return fromRear([...letters].map((letter) => LETTERS[letter]));
  const numbers = /^(?:layout|lineup)=([\d\s,]+)$/m.exec(text)?.[1];
  if (numbers)
    return fromRear(
      numbers
        .trim()
        .split(/[\s,]+/)
        .map((n) => NUMBERS[Number(n)]),
    );
  return null;
}

const LETTERS: Record<string, Piece> = {
  S: 'COMMANDER',
  J: 'GENERAL',
  G: 'MAJOR_GENERAL',
  L: 'BRIGADIER',
  T: 'COLONEL',
  Y: 'MAJOR',
  N: 'CAPTAIN',
  P: 'LIEUTENANT',
  E: 'ENGINEER',
  B: 'BOMB',
  D: 'MINE',
  F: 'FLAG',
};
const NUMBERS: readonly (Piece | undefined)[] = [
  undefined,
  'FLAG',
  'ENGINEER',
  'LIEUTENANT',
  'CAPTAIN',
  'MAJOR',
  'COLONEL',
  'BRIGADIER',
  'MAJOR_GENERAL',
  'GENERAL',
  'COMMANDER',
  'MINE',
  'BOMB',
];

/** 25 pieces from the rear row, camps skipped. */
function fromRear(pieces: readonly (Piece | undefined)[]): Placed[] | null {
  const places = [...PLACES].sort((a, b) => b.row - a.row || a.col - b.col);
  if (pieces.length !== 25) return null;
  const placed: Placed[] = [];
  for (const [i, place] of places.entries()) {
    const piece = pieces[i];
    if (!piece) return null;
    placed.push({ ...place, piece });
  }
  return placed;
}

function readOwn(text: string): Placed[] | null {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  const { format, version, pieces } = file as { format?: unknown; version?: unknown; pieces?: unknown };
  if (format !== 'yibu-formation' || version !== 1 || !Array.isArray(pieces) || pieces.length > 30)
    return null;
  const placed: Placed[] = [];
  for (const one of pieces as { row?: unknown; col?: unknown; piece?: unknown }[]) {
    const piece =
      typeof one?.piece === 'string' && Object.hasOwn(CODES, one.piece) ? CODES[one.piece] : undefined;
    if (!piece || typeof one.row !== 'number' || typeof one.col !== 'number') return null;
    placed.push({ row: one.row, col: one.col, piece });
  }
  return placed;
}
