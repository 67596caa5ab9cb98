// @vitest-environment node
// Replay files: whole games of the contract written as files, read and played; bad files are named, never thrown.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../src/replay/format.ts';
import { play } from '../src/replay/frames.ts';
import { readReplay } from '../src/replay/read.ts';

interface Ply {
  seat: string;
  act: string;
  from: string;
  to: string;
  piece: string;
  target: string | null;
  route: string[];
  out: string;
  elim?: [string, string][];
}
interface Game {
  options: { order: string; seats: string; both_stuck: string; no_loss_draw: number | null };
  first: string;
  formations: Record<string, Record<string, string>>;
  plies: Ply[];
}
type Json = Record<string, unknown>;

const path = join(import.meta.dirname, '../../../tests/vectors/siguo/games.jsonl.gz');
const games = gunzipSync(readFileSync(path))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Game)
  .filter(({ options: o }) => o.order === 'ccw' && o.seats === 'senw' && o.both_stuck === 'no_result')
  .slice(0, 12);

function second(game: Game): { events: Json[] } & Json {
  const events: Json[] = [{ kind: 'started', seat: game.first }];
  for (const ply of game.plies) {
    events.push({ kind: 'turn_started', seat: ply.seat });
    const { seat, from, to, route, piece, target, out } = ply;
    if (ply.act === 'move')
      events.push({ kind: 'moved', seat, from, to, route, attacker: piece, defender: target, outcome: out });
    else events.push({ kind: ply.act === 'skip' ? 'skipped' : 'surrendered', seat });
    for (const [fallen, cause] of ply.elim ?? [])
      events.push({ kind: 'seat_eliminated', seat: fallen, cause });
  }
  events.push({ kind: 'ended' });
  const seats = Object.fromEntries(
    Object.entries(game.formations).map(([seat, formation]) => [
      seat,
      { pieces: Object.entries(formation).map(([at, piece]) => ({ at, piece })) },
    ]),
  );
  // The log has what is not public besides.
  const log = { events: events.length + 8, hash: '' };
  return { format: 'yibu-replay', version: 2, match: { id: 'm' }, seats, participants: [], events, log };
}
const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const read = (value: unknown) => readReplay(bytes(value));
function fault(value: unknown): string {
  try {
    read(value);
  } catch (error) {
    if (error instanceof FileFault) return `${error.code} ${error.where}`.trim();
    throw error;
  }
  return 'none';
}
const game = games[0] as Game;

describe('version 2', () => {
  it('plays the contract’s games to the end', () => {
    for (const one of games) {
      const played = play(read(second(one)));
      expect(played.contradiction).toBeNull();
      expect(played.frames.length).toBeGreaterThan(one.plies.length);
    }
  }, 30_000);

  it('stops before the first contradiction', () => {
    const moves = second(game).events.filter((event) => event.kind === 'moved' && event.outcome !== 'none');
    const wrong = (change: (event: Json) => Json) => {
      const file = second(game);
      const at = file.events.findIndex(
        (event) =>
          event.kind === 'moved' && event.outcome === moves[0]?.outcome && event.from === moves[0]?.from,
      );
      file.events[at] = change(file.events[at] as Json);
      return play(read(file)).contradiction?.why;
    };
    expect(wrong((event) => ({ ...event, outcome: event.outcome === 'both' ? 'attacker' : 'both' }))).toBe(
      'WRONG_OUTCOME',
    );
    expect(wrong((event) => ({ ...event, attacker: 'flag' }))).toBe('WRONG_IDENTITY');
    expect(wrong((event) => ({ ...event, route: [event.from, 'c22', event.to] }))).toBe('WRONG_ROUTE');
    expect(wrong((event) => ({ ...event, from: 's22', attacker: null }))).toBe('NOT_A_PIECE');
    expect(wrong((event) => ({ ...event, to: event.from }))).toBe('WRONG_IDENTITY');
    expect(wrong((event) => ({ ...event, revealed: [{ seat: 's', at: 's62' }] }))).toBe('WRONG_IDENTITY');
  });

  it('holds the order of turns, the falls and the end to the rules', () => {
    const fallen = games.find((one) => one.plies.some(({ elim }) => elim)) as Game;
    const without = (drop: (event: Json, at: number) => boolean) => {
      const file = second(fallen);
      file.events = file.events.filter((event, at) => !drop(event, at));
      return play(read(file)).contradiction?.why;
    };
    expect(without(({ kind }) => kind === 'seat_eliminated')).toBe('WRONG_ELIMINATION');
    expect(without((_, at) => at === 1 || at === 2)).toBe('NOT_ITS_TURN');
    const won = games.find(({ plies }) => plies.at(-1)?.elim) as Game;
    const file = { ...second(won), outcome: { kind: 'draw', by: 'agreed' } };
    expect(play(read(file)).contradiction?.why).toBe('WRONG_END');
    file.events.push({ kind: 'skipped', seat: 's' });
    expect(play(read({ ...file, outcome: null })).contradiction?.why).toBe('AFTER_END');
  });
});

describe('version 1', () => {
  const board = Object.fromEntries(
    Object.entries(game.formations).flatMap(([seat, formation]) =>
      Object.entries(formation).map(([at, piece]) => [at, { seat, piece }]),
    ),
  );
  const plies = game.plies.slice(0, 40).filter((ply) => ply.act === 'move');

  it('plays with identities', () => {
    const moves = plies.map(({ from, to }) => ({ from, to }));
    const played = play(read({ format: 'yibu-replay', version: 1, board, moves }));
    expect(played.contradiction).toBeNull();
    expect(played.unknown).toBe(0);
  });

  it('plays without identities as long as results are there, and makes none up', () => {
    const dark = Object.fromEntries(Object.entries(board).map(([at, { seat }]) => [at, { seat }]));
    const moves = plies.map(({ from, to, out }) => ({ from, to, result: out }));
    const played = play(read({ format: 'yibu-replay', version: 1, board: dark, moves }));
    expect(played.contradiction).toBeNull();
    expect(played.unknown).toBe(100);
    const silent = play(
      read({
        format: 'yibu-replay',
        version: 1,
        board: dark,
        moves: plies.map(({ from, to }) => ({ from, to })),
      }),
    );
    expect(silent.contradiction?.why).toBe('UNKNOWN_RESULT');
  });
});

const fixtures = join(import.meta.dirname, 'fixtures');
const samples = readdirSync(fixtures).filter((name) => name.endsWith('.yibu-replay.json'));

describe('files of the server', () => {
  it.each(samples)('%s is read whole and plays to its end', (name) => {
    const text = readFileSync(join(fixtures, name));
    const told = JSON.parse(text.toString()) as { events: { kind: string }[] } & Record<string, Json[]>;
    const file = readReplay(text);
    const played = play(file);
    expect(played.contradiction).toBeNull();
    expect(played.unknown).toBe(0);
    expect(played.frames.at(-1)?.event?.kind).toBe('ended');
    expect(file.initial).toHaveLength(100);
    expect(file.events).toHaveLength(told.events.length);
    expect(file.participants.map(({ nickname }) => nickname)).toEqual(
      told.participants?.map(({ nickname }) => nickname),
    );
    expect(file.settlement).toHaveLength(told.settlement?.length ?? -1);
    expect(file.outcome).not.toBeNull();
    // What was told to have left the board did, and nothing else.
    const gone = told.events.flatMap((event) => (event as { removed?: unknown[] }).removed ?? []);
    expect(played.frames.at(-1)?.pieces).toHaveLength(100 - gone.length);
  });

  it('say who of the settlement is a house player', () => {
    const file = readReplay(readFileSync(join(fixtures, 'takeover.yibu-replay.json')));
    expect(file.settlement.map(({ seat, house }) => [seat, house])).toEqual([
      ['S', true],
      ['N', false],
      ['W', false],
    ]);
  });

  it('are there', () => expect(samples.length).toBeGreaterThanOrEqual(3));
});

describe('what the server does not read of version 2', () => {
  type Pieces = { at: string; piece: string }[];
  const changed = (change: (pieces: Pieces, file: Json & { events: Json[] }) => unknown) => {
    const file = structuredClone(second(game));
    change((file.seats as { s: { pieces: Pieces } }).s.pieces, file);
    return fault(file);
  };

  it('are formations that are none, by entry or as a whole', () => {
    const put = (at: string) => changed((pieces) => Object.assign(pieces[4] ?? {}, { at }));
    expect(put('e11')).toBe('FORMATION seats.s.pieces[4]');
    expect(put('s22')).toBe('FORMATION seats.s.pieces[4]');
    expect(put('c22')).toBe('FORMATION seats.s.pieces[4]');
    expect(changed((pieces) => Object.assign(pieces[7] ?? {}, { at: pieces[6]?.at }))).toBe(
      'FORMATION seats.s.pieces[7]',
    );
    const bomb = changed((pieces) => {
      const one = pieces.find(({ piece }) => piece === 'bomb');
      const front = pieces.find(({ at }) => at === 's13');
      if (one && front) [one.piece, front.piece] = [front.piece, one.piece];
    });
    expect(bomb).toMatch(/^FORMATION seats\.s\.pieces\[\d+\]$/);
    expect(changed((pieces) => pieces.pop())).toBe('FORMATION seats.s.pieces');
    const two = changed((pieces) => {
      const general = pieces.find(({ piece }) => piece === 'general');
      if (general) general.piece = 'commander';
    });
    expect(two).toBe('FORMATION seats.s.pieces');
  });

  it('is a log of fewer events than are told', () => {
    const log = (events: unknown) =>
      changed((_, file) => {
        file.log = { events, hash: '' };
      });
    const told = second(game).events.length;
    expect(log(told)).toBe('none');
    expect(log(told - 1)).toBe('COUNT log.events');
    expect(log(-1)).toBe('FIELD log');
    expect(log(2.5)).toBe('FIELD log');
    expect(log('7')).toBe('FIELD log');
    expect(changed((_, file) => delete file.log)).toBe('FIELD log');
  });
});

describe('bad files', () => {
  it('are named', () => {
    const base = { format: 'yibu-replay', version: 1, board: {}, moves: [] };
    expect(fault('')).toMatch(/^NOT_JSON/);
    expect(fault('[]')).toBe('NOT_A_REPLAY');
    expect(fault('{"format":"other"}')).toBe('NOT_A_REPLAY');
    expect(fault({ ...base, version: 3 })).toBe('VERSION 3');
    expect(fault({ ...base, board: { s99: { seat: 's' } } })).toBe('POSITION board.s99');
    expect(fault({ ...base, board: { s11: { seat: 'x' } } })).toBe('FIELD board.s11.seat');
    expect(fault({ ...base, board: { s11: { seat: 's', piece: 'king' } } })).toBe('PIECE board.s11.piece');
    expect(fault({ ...base, moves: [{ from: 's11' }] })).toBe('POSITION moves[0].to');
    expect(fault({ ...base, moves: 7 })).toBe('FIELD moves');
    expect(fault(`${'['.repeat(40)}${']'.repeat(40)}`)).toBe('TOO_DEEP');
    expect(fault('__proto__')).toMatch(/^NOT_JSON/);
    const crowd = Object.fromEntries(
      ['s', 'e'].flatMap((area) =>
        Array.from({ length: 30 }, (_, i) => [
          `${area}${Math.floor(i / 5) + 1}${(i % 5) + 1}`,
          { seat: 's' },
        ]),
      ),
    );
    expect(fault({ ...base, board: crowd })).toBe('TOO_MANY S');
    expect(() => readReplay(new Uint8Array([0xff, 0xfe]))).toThrow('NOT_UTF8');
    expect(() => readReplay(new Uint8Array(10 * 1024 * 1024 + 1))).toThrow('TOO_LARGE');
  });
});
