// Reads formation files: our own, QQ's .jql, and the text layouts of two open programs. Nothing is guessed: a file that is
// no whole formation is refused with what is wrong and where. Loaded when somebody imports.
import type { Piece } from '../board/nodes.ts';
import { KINDS } from '../board/pieces.ts';
import type { FormationWords } from '../i18n/zh-Hans.formation.ts';
import { isolated } from '../ui/isolate.ts';
import { PLACES, type Placed } from './rules.ts';

/** The largest file that is looked at. */
export const MOST_BYTES = 64 * 1024;

/** Why a file is not used, in words. */
export class FormationFault extends Error {
  constructor(readonly tell: (words: FormationWords) => string) {
    super('no formation');
  }
}

/** A piece as a file tells it; `piece` is null where its name is none. */
interface Told {
  row: unknown;
  col: unknown;
  name: unknown;
  piece: Piece | null;
}

/** The pieces of a formation file. Throws a `FormationFault`. */
export function readFormation(bytes: Uint8Array): Placed[] {
  const told =
    readJql(bytes) ?? readText(new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes).trim());
  if (!told) throw new FormationFault((w) => w.unreadable);
  return judged(told);
}

/** A value of a file, short enough for a sentence, and kept from turning its direction. */
const quoted = (value: unknown) => isolated(String(value).slice(0, 20));

/** The pieces, if each is known and every place and kind is there as often as it has to be. */
function judged(told: readonly Told[]): Placed[] {
  if (told.length !== PLACES.length) throw new FormationFault((w) => w.total(told.length));
  const placed: Placed[] = [];
  for (const [i, { row, col, name, piece }] of told.entries()) {
    const n = i + 1;
    if (!piece) throw new FormationFault((w) => w.piece(n, quoted(name)));
    const place = PLACES.find((one) => one.row === row && one.col === col);
    if (!place) throw new FormationFault((w) => w.place(n, quoted(row), quoted(col)));
    if (placed.some((one) => one.row === row && one.col === col))
      throw new FormationFault((w) => w.twice(n, place.row, place.col));
    placed.push({ ...place, piece });
  }
  // Where one is lacking, another is there too often.
  for (const [kind, most] of KINDS) {
    const there = placed.filter(({ piece }) => piece === kind).length;
    if (there > most) throw new FormationFault((w) => w.kind(kind, there, most));
  }
  return placed;
}

const PIECES = new Map<string, Piece>(KINDS.map(([kind]) => [kind, kind]));

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
function readJql(bytes: Uint8Array): Told[] | null {
  if (bytes.length < 50) return null;
  if (![...JQL_MAGIC].every((c, i) => bytes[i] === c.charCodeAt(0))) return null;
  if (![0x57, 4, 0, 0].every((byte, i) => bytes[16 + i] === byte)) return null;
  return [...bytes.subarray(20, 50)].flatMap((byte, i) =>
    byte === 0
      ? []
      : [{ row: Math.floor(i / 5) + 1, col: (i % 5) + 1, name: byte, piece: JQL_PIECES[byte] ?? null }],
  );
}

function readText(text: string): Told[] | null {
  if (text.startsWith('{')) return readOwn(text);
  const [, marked, plain] = /^(?:SIGUOSET\|v=1\|([A-Z]+)|([A-Z]{25}))$/.exec(text) ?? [];
  const letters = marked ?? plain;
  if (letters) return fromRear([...letters].map((name) => ({ name, piece: LETTERS[name] })));
  const numbers = /^(?:layout|lineup)=([\d\s,]+)$/m.exec(text)?.[1];
  if (!numbers) return null;
  const names = numbers.trim().split(/[\s,]+/);
  return fromRear(names.map((name) => ({ name, piece: NUMBERS[Number(name)] })));
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

const FROM_REAR = [...PLACES].sort((a, b) => b.row - a.row || a.col - b.col);

/** Pieces from the rear row, camps skipped. */
const fromRear = (pieces: readonly { name: string; piece: Piece | undefined }[]): Told[] =>
  pieces.map(({ name, piece = null }, i) => ({
    row: FROM_REAR[i]?.row,
    col: FROM_REAR[i]?.col,
    name,
    piece,
  }));

/** Our own; the names of pieces in capitals, too, as the API has them. */
function readOwn(text: string): Told[] | null {
  let file: { format?: unknown; version?: unknown; pieces?: unknown };
  try {
    file = JSON.parse(text);
  } catch {
    throw new FormationFault((w) => w.notJson);
  }
  const { format, version, pieces } = file;
  if (format !== 'yibu-formation') return null;
  if (version !== 1) throw new FormationFault((w) => w.version(quoted(version)));
  if (!Array.isArray(pieces)) throw new FormationFault((w) => w.total(0));
  return (pieces as { row?: unknown; col?: unknown; piece?: unknown }[]).map((one) => ({
    row: one?.row,
    col: one?.col,
    name: one?.piece,
    piece: PIECES.get(String(one?.piece).toUpperCase()) ?? null,
  }));
}
