// A whole game of the contract written as a file of version 2, as the server would write it. Keeps the board by what
// the contract tells, not by the code under test.
export interface Ply {
  seat: string;
  act: string;
  from: string;
  to: string;
  piece: string;
  target: string | null;
  route: string[];
  out: string;
  reveal?: [string, string][];
  elim?: [string, string][];
  next: string | null;
}
export interface Game {
  options: { order: string; seats: string; both_stuck: string; no_loss_draw: number | null };
  first: string;
  formations: Record<string, Record<string, string>>;
  plies: Ply[];
  final: { kind: string; side?: string; by: string };
}
export type Json = Record<string, unknown>;
export type WholeFile = Json & { events: Json[]; settlement: Json[]; outcome: Json; participants: Json[] };

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5, 8);
const SEATS = [...'senw'];
const time = (minute: number) => new Date(START + minute * 60_000).toISOString();
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const HASH = '0'.repeat(64);

/** Positions as the contract orders them. */
const order = (a: string, b: string) =>
  'senwc'.indexOf(a.charAt(0)) - 'senwc'.indexOf(b.charAt(0)) || (a < b ? -1 : 1);

/** The file; `names` are the nicknames of south, east, north and west. */
export function wholeFile(game: Game, names = ['南山', '东篱', '北斗', '西窗']): WholeFile {
  const events: Json[] = [];
  const board = new Map<string, { seat: string; start: string; piece: string }>();
  for (const [seat, formation] of Object.entries(game.formations)) {
    for (const [start, piece] of Object.entries(formation)) board.set(start, { seat, start, piece });
  }
  const used: Record<string, number> = {};
  let minute = 0;
  let turn = 0;
  let mover: string | null = null;
  const tell = (kind: string, fields: Json) =>
    events.push({ number: events.length + 1, at: time(minute), kind, ...fields });
  const reach = (seat: string) => {
    turn += 1;
    mover = seat;
    const deadline = new Date(START + minute * 60_000 + 16 * HOUR).toISOString();
    tell('turn_started', { turn, seat, turnKind: 'normal', deadline });
  };
  tell('started', { seat: game.first });
  reach(game.first);
  for (const { seat, act, from, to, piece, target, route, out, reveal, elim, next } of game.plies) {
    minute += 1;
    if (act === 'move') {
      const unit = board.get(from);
      const met = board.get(to);
      const lost = [
        out === 'defender' || out === 'both' ? unit : null,
        /attacker|both/.test(out) ? met : null,
      ];
      const shown = (reveal ?? []).map(([of, at]) => ({ seat: of, at }));
      tell('moved', {
        turn,
        seat,
        start: unit?.start,
        from,
        to,
        route,
        outcome: out,
        attacker: piece,
        defender: target,
        removed: lost.filter(Boolean),
        revealed: shown,
        captured: target === 'flag' ? met?.seat : null,
      });
      board.delete(from);
      if (out === 'both') board.delete(to);
      else if (unit && out !== 'defender') board.set(to, unit);
    } else if (act === 'skip') {
      used[seat] = (used[seat] ?? 0) + 1;
      tell('skipped', { turn, seat, used: used[seat] });
    } else tell('surrendered', { seat, player: uuid(SEATS.indexOf(seat)) });
    for (const [fallen, cause] of elim ?? []) {
      const own = [...board].filter(([, unit]) => unit.seat === fallen).sort(([a], [b]) => order(a, b));
      for (const [at] of own) board.delete(at);
      tell('seat_eliminated', { seat: fallen, cause, removed: own.map(([, unit]) => unit) });
    }
    if (next && (act !== 'surrender' || seat === mover)) reach(next);
  }
  tell('ended', {});
  const people = SEATS.map((seat, i) => ({ seat, player: uuid(i), nickname: names[i], joined: 'full' }));
  const { kind, side, by } = game.final;
  const result = (seat: string) =>
    kind !== 'win' ? kind : (side === 'red') === 'sn'.includes(seat) ? 'win' : 'loss';
  const worth: Record<string, number> = { win: 3, loss: -3 };
  return {
    format: 'yibu-replay',
    version: 2,
    match: { id: uuid(9), startedAt: time(0), endedAt: time(minute) },
    rules: {
      name: 'siguo-formal/1',
      order: game.options.order,
      seats: SEATS,
      bothStuck: game.options.both_stuck,
      noLossDraw: game.options.no_loss_draw,
      skips: 255,
      durations: {
        turn: 16 * HOUR,
        takeoverFirst: 3 * HOUR,
        takeoverWait: 8 * HOUR,
        outageMinimum: 60_000,
        retention: 72 * HOUR,
        releaseUnready: 48 * HOUR,
      },
      points: {
        win: 3,
        winTakeover: 4,
        loss: -3,
        lossTakeover: -2,
        departure: -9,
        sideGone: 3,
        teamSurrender: -3,
      },
    },
    seats: Object.fromEntries(
      SEATS.map((seat) => [
        seat,
        {
          side: 'sn'.includes(seat) ? 'red' : 'blue',
          pieces: Object.entries(game.formations[seat] ?? {})
            .sort(([a], [b]) => order(a, b))
            .map(([at, piece]) => ({ at, piece })),
        },
      ]),
    ),
    participants: people.map((one) => ({
      ...one,
      house: false,
      joinedAt: time(0),
      leftAt: null,
      leftWhy: null,
    })),
    events,
    outcome: kind === 'win' ? { kind, side, by } : { kind, by },
    settlement: people.map((one) => ({
      ...one,
      result: result(one.seat),
      points: worth[result(one.seat)] ?? 0,
    })),
    draws: { algorithm: 'yibu-draw/1', commitment: HASH, seed: HASH, draws: [] },
    // The log has what is not public besides.
    log: { events: events.length + 8, hash: HASH },
  };
}
