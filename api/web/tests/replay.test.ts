// @vitest-environment node
// Replay files: whole games of the contract written as files, read and played; bad files are named, never thrown.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../src/replay/format.ts';
import { play } from '../src/replay/frames.ts';
import { readReplay } from '../src/replay/read.ts';
import { type Game, HASH, type Json, wholeFile } from './wholeFile.ts';

const path = join(import.meta.dirname, '../../../tests/vectors/siguo/games.jsonl.gz');
const games = gunzipSync(readFileSync(path))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Game)
  .filter(({ options: o }) => o.order === 'ccw' && o.seats === 'senw' && o.both_stuck === 'no_result')
  .slice(0, 12);

const second = (game: Game) => wholeFile(game);
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
    expect(wrong((event) => ({ ...event, from: 's22' }))).toBe('NOT_A_PIECE');
    expect(wrong((event) => ({ ...event, to: event.from }))).toBe('ILLEGAL');
    expect(wrong((event) => ({ ...event, revealed: [{ seat: 's', at: 's62' }] }))).toBe('WRONG_REVEAL');
    expect(wrong((event) => ({ ...event, removed: [] }))).toBe('WRONG_REMOVAL');
    expect(wrong((event) => ({ ...event, start: event.start === 's12' ? 's13' : 's12' }))).toBe(
      'WRONG_IDENTITY',
    );
  });

  it('holds the order of turns, the falls and the end to the rules', () => {
    const fallen = games.find((one) => one.plies.some(({ elim }) => elim)) as Game;
    const without = (drop: (event: Json, at: number) => boolean) => {
      const file = second(fallen);
      file.events = file.events
        .filter((event, at) => !drop(event, at))
        .map((event, at) => ({ ...event, number: at + 1 }));
      return play(read(file)).contradiction?.why;
    };
    expect(without(({ kind }) => kind === 'seat_eliminated')).toBe('WRONG_ELIMINATION');
    expect(without((_, at) => at === 2 || at === 3)).toBe('NOT_ITS_TURN');
    expect(without((_, at) => at === 1 || at === 2)).toBe('OUT_OF_ORDER');
    const won = games.find(({ plies }) => plies.at(-1)?.elim) as Game;
    const file = { ...second(won), outcome: { kind: 'draw', by: 'agreed' } };
    expect(play(read(file)).contradiction?.why).toBe('WRONG_END');
    const after = second(won);
    const { at } = after.events.at(-1) as Json;
    after.events.push({
      number: after.events.length + 1,
      at,
      kind: 'skipped',
      turn: 1,
      seat: 's',
      used: 1,
    });
    expect(play(read(after)).contradiction?.why).toBe('AFTER_END');
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

describe('a file of the server that was changed', () => {
  type Sample = Json & { events: Json[]; settlement: Json[]; participants: Json[]; match: Json };
  const sample = (name: string) =>
    JSON.parse(readFileSync(join(fixtures, `${name}.yibu-replay.json`), 'utf8')) as Sample;
  const changed = (change: (file: Sample) => unknown, name = 'takeover'): string => {
    const file = sample(name);
    change(file);
    const unread = fault(file);
    return unread === 'none' ? (play(read(file)).contradiction?.why ?? 'none') : unread;
  };
  const event = (kind: string, change: Json, name?: string) =>
    changed(({ events }) => Object.assign(events.find((one) => one.kind === kind) ?? {}, change), name);

  it('is not read where the schema does not know it', () => {
    expect(changed((file) => Object.assign(file, { settlement: [7] }))).toBe('FIELD settlement[0]');
    expect(changed((file) => Object.assign(file, { settlement: [{ x: 1 }] }))).toBe(
      'FIELD settlement[0].seat',
    );
    expect(changed(({ settlement }) => Object.assign(settlement[0] ?? {}, { result: 'glory' }))).toBe(
      'FIELD settlement[0].result',
    );
    expect(changed(({ match }) => Object.assign(match, { startedAt: 'not a date' }))).toBe(
      'FIELD match.startedAt',
    );
    expect(changed(({ match }) => Object.assign(match, { startedAt: '2026-02-30T00:00:00.000Z' }))).toBe(
      'FIELD match.startedAt',
    );
    expect(changed(({ match }) => Object.assign(match, { endedAt: 1e30 }))).toBe('FIELD match.endedAt');
    for (const kind of ['constructor', '__proto__', 'toString', 7, null]) {
      expect(changed(({ events }) => events.map((one) => Object.assign(one, { kind })))).toBe(
        'FIELD events[0].kind',
      );
    }
    expect(changed(({ events }) => Object.assign(events[0] ?? {}, { more: 1 }))).toBe('EXTRA events[0].more');
    expect(event('moved', { attacker: 'king' })).toMatch(/^PIECE events\[\d+\]\.attacker$/);
    expect(event('moved', { to: 'x11' })).toMatch(/^POSITION events\[\d+\]\.to$/);
    expect(changed((file) => Object.assign(file, { more: 1 }))).toBe('EXTRA more');
    expect(changed((file) => delete file.draws)).toBe('FIELD draws');
  });

  it('contradicts the rules where its form is right', () => {
    const line = (change: Json) => changed(({ settlement }) => Object.assign(settlement[0] ?? {}, change));
    expect(line({ points: 999 })).toBe('WRONG_SETTLEMENT');
    expect(line({ nickname: '他人' })).toBe('WRONG_SETTLEMENT');
    expect(changed(({ settlement }) => settlement.pop())).toBe('WRONG_SETTLEMENT');
    for (const name of samples.map((file) => file.replace('.yibu-replay.json', ''))) {
      const drop = ({ events }: Sample) => events.findIndex(({ kind }) => kind === 'turn_started');
      expect(changed((file) => file.events.splice(drop(file), 1), name)).toBe('OUT_OF_ORDER');
      expect(changed(({ events }) => events.pop(), name)).toBe('UNFINISHED');
    }
    const other = '00000000-0000-4000-8000-000000000000';
    expect(event('turn_started', { deadline: '2030-01-01T00:00:00.000Z' })).toBe('WRONG_TURN');
    expect(event('turn_started', { turn: 7 })).toBe('WRONG_TURN');
    expect(event('seat_taken_over', { player: other })).toBe('WRONG_PERSON');
    expect(event('seat_vacated', { player: other })).toBe('WRONG_PERSON');
    expect(event('moved', { kind: 'moved', at: '2020-01-01T00:00:00.000Z' })).toBe('OUT_OF_ORDER');
    expect(event('draw_voted', { offer: 77 }, 'draw')).toBe('OUT_OF_PLACE');
    expect(event('draw_agreed', { offer: 77 }, 'draw')).toBe('WRONG_VOTE');
    expect(event('seat_eliminated', { removed: [] }, 'eliminations')).toBe('WRONG_REMOVAL');
    expect(changed(({ match }) => Object.assign(match, { endedAt: '2030-01-01T00:00:00.000Z' }))).toBe(
      'WRONG_END',
    );
    expect(changed(({ participants }) => Object.assign(participants[0] ?? {}, { leftWhy: 'left' }))).toBe(
      'WRONG_PERSON',
    );
  });
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
        file.log = { events, hash: HASH };
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

describe('a long file', () => {
  it('of 90,000 moves is played through, its boards sharing what stands still', () => {
    const quiet = games.find(({ plies }) => plies[0]?.act === 'move' && plies[0].out === 'none') as Game;
    const board = Object.fromEntries(
      Object.entries(quiet.formations).flatMap(([seat, formation]) =>
        Object.entries(formation).map(([at, piece]) => [at, { seat, piece }]),
      ),
    );
    const { from, to } = quiet.plies[0] ?? { from: '', to: '' };
    const moves = Array.from({ length: 90_000 }, (_, i) => (i % 2 ? { from: to, to: from } : { from, to }));
    const { frames, contradiction } = play(read({ format: 'yibu-replay', version: 1, board, moves }));
    expect(contradiction).toBeNull();
    expect(frames).toHaveLength(90_001);
    const before = new Set(frames[40_000]?.pieces);
    expect(frames[40_001]?.pieces.filter((piece) => !before.has(piece))).toHaveLength(1);
  }, 60_000);
});

describe('bad files', () => {
  it('are named', () => {
    const base = { format: 'yibu-replay', version: 1, board: {}, moves: [] };
    expect(fault('')).toMatch(/^NOT_JSON/);
    expect(fault('[]')).toBe('NOT_A_REPLAY');
    expect(fault('{"format":"other"}')).toBe('NOT_A_REPLAY');
    expect(fault({ ...base, version: 3 })).toBe('VERSION 3');
    expect(fault({ ...base, version: { a: 1 } })).toBe('VERSION {"a":1}');
    expect(fault({ format: 'yibu-replay' })).toBe('VERSION');
    // Line and column at most: the browser's sentence is in another language than the page.
    expect(fault('{\n  "format": x\n}')).toMatch(/^NOT_JSON( \d+:\d+)?$/);
    expect(fault('{"a": 1,')).toMatch(/^NOT_JSON( \d+:\d+)?$/);
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
