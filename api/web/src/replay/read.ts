// Bytes to a replay file: size, text, depth, JSON, then every field by name. A fault names what and where.
import { nodeOf, type Piece, SEATS, type Seat } from '../board/nodes.ts';
import { KINDS } from '../board/pieces.ts';
import type { Complete } from './complete.ts';
import {
  type FileEvent,
  FileFault,
  type Initial,
  MOST_BYTES,
  type Participant,
  type ReplayFile,
  type Settled,
} from './format.ts';
import { judgeFormation, judgeLog, judgeWhole, type Whole } from './judge.ts';
import { judgeForm } from './schema.ts';

const MOST_LEVELS = 32;
const MOST_EVENTS = 100_000;

type Json = Record<string, unknown>;

/** Reads a file. Throws a `FileFault`. */
export function readReplay(bytes: Uint8Array): ReplayFile {
  if (bytes.length > MOST_BYTES) throw new FileFault('TOO_LARGE');
  const file = parse(decode(bytes));
  if (file.format !== 'yibu-replay') throw new FileFault('NOT_A_REPLAY');
  if (file.version === 2) return second(file);
  if (file.version === 1) return first(file);
  throw new FileFault('VERSION', (JSON.stringify(file.version) ?? '').slice(0, 20));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileFault('NOT_UTF8');
  }
}

function parse(text: string): Json {
  let level = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 0x5c) i += 1;
      else if (c === 0x22) quoted = false;
    } else if (c === 0x22) quoted = true;
    else if (c === 0x5b || c === 0x7b) {
      level += 1;
      if (level > MOST_LEVELS) throw new FileFault('TOO_DEEP');
    } else if (c === 0x5d || c === 0x7d) level -= 1;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FileFault('NOT_JSON', lineIn(text, error instanceof Error ? error.message : ''));
  }
  if (!isObject(value)) throw new FileFault('NOT_A_REPLAY');
  return value;
}

/** Line and column of what a browser's parser says, as `4:5`; its sentence is in the browser's own language. */
function lineIn(text: string, message: string): string {
  const told = /line (\d+) column (\d+)/.exec(message);
  if (told) return `${told[1]}:${told[2]}`;
  const at = /position (\d+)/.exec(message);
  if (!at) return '';
  const before = text.slice(0, Number(at[1])).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const field = (of: Json, name: string): unknown => (Object.hasOwn(of, name) ? of[name] : undefined);

function object(of: Json, name: string, where: string): Json {
  const value = field(of, name);
  if (!isObject(value)) throw new FileFault('FIELD', `${where}${name}`);
  return value;
}

function list(of: Json, name: string, where: string): Json[] {
  const value = field(of, name);
  if (!Array.isArray(value) || value.length > MOST_EVENTS || !value.every(isObject)) {
    throw new FileFault('FIELD', `${where}${name}`);
  }
  return value;
}

function text(of: Json, name: string): string | null {
  const value = field(of, name);
  return typeof value === 'string' ? value.slice(0, 200) : null;
}

function position(of: Json, name: string, where: string): string {
  const value = field(of, name);
  if (typeof value !== 'string' || !nodeOf(value)) throw new FileFault('POSITION', `${where}.${name}`);
  return value;
}

function seat(of: Json, name: string, where: string): Seat {
  const value = text(of, name)?.charAt(0).toUpperCase() as Seat;
  if (!SEATS.includes(value)) throw new FileFault('FIELD', `${where}.${name}`);
  return value;
}

const PIECES = new Set<string>(KINDS.map(([kind]) => kind));

function piece(of: Json, name: string, where: string): Piece | null {
  const value = field(of, name);
  if (value === undefined || value === null) return null;
  const code = typeof value === 'string' ? value.toUpperCase() : '';
  if (!PIECES.has(code)) throw new FileFault('PIECE', `${where}.${name}`);
  return code as Piece;
}

/** No seat has more than 25. */
function counted(initial: Initial[]): Initial[] {
  for (const one of SEATS) {
    if (initial.filter((unit) => unit.seat === one).length > 25) throw new FileFault('TOO_MANY', one);
  }
  return initial;
}

function second(file: Json): ReplayFile {
  const match = object(file, 'match', '');
  const seats = object(file, 'seats', '');
  const initial = SEATS.flatMap((one) => {
    const where = `seats.${one.toLowerCase()}`;
    const pieces = list(object(seats, one.toLowerCase(), 'seats.'), 'pieces', `${where}.`);
    if (pieces.length > 25) throw new FileFault('TOO_MANY', one);
    const placed = pieces.map((of, i): Initial => {
      const at = `${where}.pieces[${i}]`;
      return { at: position(of, 'at', at), seat: one, piece: piece(of, 'piece', at) };
    });
    judgeFormation(one, placed, `${where}.pieces`);
    return placed;
  });
  judgeLog(object(file, 'log', ''), list(file, 'events', '').length);
  judgeForm(file);
  judgeWhole(file as unknown as Whole);
  const events = list(file, 'events', '').map(event);
  const people = list(file, 'participants', '');
  const house = new Set(people.filter((of) => of.house === true).map((of) => of.player));
  const outcome = field(file, 'outcome');
  return {
    version: 2,
    matchId: text(match, 'id'),
    startedAt: text(match, 'startedAt'),
    endedAt: text(match, 'endedAt'),
    initial,
    participants: people.map(participant),
    events,
    outcome: isObject(outcome)
      ? { kind: text(outcome, 'kind') ?? '', side: sideIn(outcome), by: text(outcome, 'by') }
      : null,
    settlement: list(file, 'settlement', '').map((of, i) => settled(of, i, house)),
    complete: file as unknown as Complete,
  };
}

function participant(of: Json, i: number): Participant {
  return {
    seat: seat(of, 'seat', `participants[${i}]`),
    house: field(of, 'house') === true,
    nickname: text(of, 'nickname'),
    joined: field(of, 'joined') === 'takeover' ? 'takeover' : 'full',
    joinedAt: text(of, 'joinedAt'),
    leftAt: text(of, 'leftAt'),
    leftWhy: text(of, 'leftWhy'),
  };
}

const OUTCOMES = new Set(['none', 'attacker', 'defender', 'both']);

function sideIn(of: Json): 'RED' | 'BLUE' | null {
  const value = text(of, 'side')?.toUpperCase();
  return value === 'RED' || value === 'BLUE' ? value : null;
}

function event(of: Json, i: number): FileEvent {
  const where = `events[${i}]`;
  const kind = text(of, 'kind');
  if (!kind) throw new FileFault('FIELD', `${where}.kind`);
  const moved = kind === 'moved';
  const outcome = text(of, 'outcome');
  const route = field(of, 'route');
  if (
    route !== undefined &&
    !(Array.isArray(route) && route.length <= 129 && route.every((at) => nodeOf(String(at))))
  ) {
    throw new FileFault('POSITION', `${where}.route`);
  }
  const points = field(of, 'points');
  const accept = field(of, 'accept');
  return {
    kind,
    at: text(of, 'at'),
    seat: field(of, 'seat') == null ? null : seat(of, 'seat', where),
    from: moved ? position(of, 'from', where) : null,
    to: moved ? position(of, 'to', where) : null,
    route: (route as string[] | undefined) ?? null,
    outcome: outcome && OUTCOMES.has(outcome) ? (outcome as FileEvent['outcome']) : null,
    revealed:
      moved && field(of, 'revealed') !== undefined
        ? list(of, 'revealed', `${where}.`).map((flag, n) => {
            const place = `${where}.revealed[${n}]`;
            return [seat(flag, 'seat', place), position(flag, 'at', place)];
          })
        : null,
    attacker: moved ? piece(of, 'attacker', where) : null,
    defender: moved ? piece(of, 'defender', where) : null,
    why: text(of, 'cause') ?? text(of, 'reason') ?? text(of, 'turnKind'),
    accept: typeof accept === 'boolean' ? accept : null,
    points: typeof points === 'number' ? points : null,
    side: sideIn(of),
  };
}

function settled(of: Json, i: number, house: ReadonlySet<unknown>): Settled {
  const points = field(of, 'points');
  return {
    seat: seat(of, 'seat', `settlement[${i}]`),
    nickname: text(of, 'nickname'),
    house: of.player !== undefined && house.has(of.player),
    takeover: field(of, 'joined') === 'takeover',
    result: text(of, 'result') ?? '',
    points: typeof points === 'number' ? points : 0,
  };
}

/** Version 1: a board and moves; seats, identities and results as far as they are there. */
function first(file: Json): ReplayFile {
  const board = object(file, 'board', '');
  const initial = Object.entries(board).map(([at, value]): Initial => {
    if (!nodeOf(at)) throw new FileFault('POSITION', `board.${at.slice(0, 20)}`);
    if (!isObject(value)) throw new FileFault('FIELD', `board.${at}`);
    return { at, seat: seat(value, 'seat', `board.${at}`), piece: piece(value, 'piece', `board.${at}`) };
  });
  const events = list(file, 'moves', '').map((of, i): FileEvent => {
    const where = `moves[${i}]`;
    const result = text(of, 'result');
    return {
      kind: 'moved',
      at: null,
      seat: null,
      from: position(of, 'from', where),
      to: position(of, 'to', where),
      route: null,
      outcome: result && OUTCOMES.has(result) ? (result as FileEvent['outcome']) : null,
      revealed: null,
      attacker: null,
      defender: null,
      why: null,
      accept: null,
      points: null,
      side: null,
    };
  });
  return {
    version: 1,
    matchId: null,
    startedAt: null,
    endedAt: null,
    initial: counted(initial),
    participants: [],
    events,
    outcome: null,
    settlement: [],
    complete: null,
  };
}
