// A replay file played through by the rules: one frame an event, up to the first contradiction. Pure; shows nothing.
import type { Piece, Seat } from '../board/nodes.ts';
import type { Shown } from '../board/pieces.ts';
import { battle } from './battle.ts';
import type { FileEvent, ReplayFile } from './format.ts';
import { type Field, routesFrom, type Unit } from './moves.ts';
import { type Cause, Referee } from './referee.ts';

/** The board after an event. */
export interface Frame {
  /** Null for the initial position. */
  readonly event: FileEvent | null;
  readonly pieces: readonly Shown[];
  readonly route: readonly string[] | null;
}

/** Why the file cannot be followed any further. */
export type Why =
  | 'NOT_A_PIECE'
  | 'NOT_ITS_TURN'
  | 'ILLEGAL'
  | 'WRONG_ROUTE'
  | 'WRONG_OUTCOME'
  | 'WRONG_IDENTITY'
  | 'WRONG_ELIMINATION'
  | 'WRONG_END'
  | 'UNKNOWN_RESULT'
  | 'AFTER_END';

/** Where a file contradicts the rules, or tells too little to go on. */
export interface Contradiction {
  /** The frame that would come next. */
  readonly frame: number;
  readonly why: Why;
  readonly at: string;
}

/** A file that was played through. */
export interface Played {
  readonly frames: readonly Frame[];
  readonly contradiction: Contradiction | null;
  /** Pieces without identity. */
  readonly unknown: number;
}

/** Events that are told by others, or change nothing that is shown. */
const SILENT = new Set([
  'opened',
  'turn_started',
  'seat_taken',
  'seat_released',
  'formation_arranged',
  'ready',
  'ready_taken_back',
  'release_moved',
  'record_expired',
  'candidate_matched',
  'candidate_withdrew',
  'candidate_lost',
]);

class Stop extends Error {
  constructor(
    readonly why: Why,
    readonly at: string,
  ) {
    super(why);
  }
}

/** Plays a file through. */
export function play(file: ReplayFile): Played {
  const state = begin(file);
  const show = painter();
  let pieces = show(state.field);
  const frames: Frame[] = [{ event: null, pieces, route: null }];
  let contradiction: Contradiction | null = null;
  const stopped = (stop: unknown) => {
    if (!(stop instanceof Stop)) throw stop;
    contradiction = { frame: frames.length, why: stop.why, at: stop.at };
  };
  for (const event of file.events) {
    try {
      const route = step(state, event, file);
      if (SILENT.has(event.kind)) continue;
      if (event.kind === 'moved' || event.kind === 'seat_eliminated') pieces = show(state.field);
      frames.push({ event, pieces, route });
    } catch (stop) {
      stopped(stop);
      break;
    }
  }
  const open = file.version === 2 && !state.ended && state.referee?.end;
  if (open && !contradiction) stopped(new Stop('WRONG_END', 'ended'));
  return { frames, contradiction, unknown: file.initial.filter(({ piece }) => piece === null).length };
}

interface State {
  /** What is shown: a seat that fell stands until the file says so. */
  field: Map<string, Unit>;
  /** Judges version 2; in version 1 too little is told. */
  referee: Referee | null;
  /** Seats that fall next, by the rules. */
  falling: [Seat, Cause][];
  ended: boolean;
}

function begin(file: ReplayFile): State {
  const units = file.initial.map(({ at, seat, piece }): [string, Unit] => [at, { handle: at, seat, piece }]);
  const first = file.events.find(({ kind }) => kind === 'started')?.seat;
  const referee = file.version === 2 && first ? new Referee(units, first) : null;
  return { field: new Map(units), referee, falling: [], ended: false };
}

/** Boards as lists; a piece in a place is one object in all of them, so that long files stay small. */
function painter(): (field: Field) => readonly Shown[] {
  const known = new Map<string, Shown>();
  return (field) =>
    [...field].map(([at, { handle, seat, piece }]) => {
      const key = `${handle}@${at}`;
      const shown = known.get(key) ?? { handle, at, seat, identity: piece };
      known.set(key, shown);
      return shown;
    });
}

function step(state: State, event: FileEvent, file: ReplayFile): readonly string[] | null {
  const { referee, falling } = state;
  if (state.ended) throw new Stop('AFTER_END', event.kind);
  if (falling[0] && event.kind !== 'seat_eliminated') throw new Stop('WRONG_ELIMINATION', falling[0][0]);
  switch (event.kind) {
    case 'moved':
      return move(state, event, file.version);
    case 'turn_started':
    case 'takeover_wait_opened':
      if (referee && event.seat !== referee.turn) throw new Stop('NOT_ITS_TURN', event.seat ?? '');
      return null;
    case 'skipped':
      if (referee && event.seat !== referee.turn) throw new Stop('NOT_ITS_TURN', event.seat ?? '');
      falling.push(...(referee?.skip().fallen ?? []));
      return null;
    case 'surrendered':
      if (event.seat && referee?.active.has(event.seat))
        falling.push(...referee.surrender(event.seat).fallen);
      return null;
    case 'seat_eliminated':
      fall(state, event);
      return null;
    case 'ended': {
      const { outcome } = file;
      const wins = referee?.end?.kind === 'win' ? referee.end.side : null;
      const told = outcome?.kind === 'win' && outcome.by === 'board' ? outcome.side : null;
      if (referee && outcome && wins !== told) throw new Stop('WRONG_END', event.kind);
      state.ended = true;
      return null;
    }
    default:
      return null;
  }
}

function move(state: State, event: FileEvent, version: 1 | 2): readonly string[] {
  const { field, referee } = state;
  const from = event.from ?? '';
  const to = event.to ?? '';
  const unit = field.get(from);
  if (!unit) throw new Stop('NOT_A_PIECE', from);
  if ((event.seat && event.seat !== unit.seat) || (referee && referee.turn !== unit.seat)) {
    throw new Stop('NOT_ITS_TURN', from);
  }
  const met = field.get(to);
  if (event.attacker && unit.piece !== event.attacker) throw new Stop('WRONG_IDENTITY', from);
  if (event.defender && met?.piece !== event.defender) throw new Stop('WRONG_IDENTITY', to);
  const route = wayOf(field, unit, from, to);
  if (!route) throw new Stop('ILLEGAL', `${from} → ${to}`);
  if (event.route && event.route.join() !== route.join()) {
    // A piece of unknown identity may have flown.
    const flown = unit.piece === null && wayOf(field, { ...unit, piece: 'ENGINEER' }, from, to);
    if (!flown || flown.join() !== event.route.join()) throw new Stop('WRONG_ROUTE', `${from} → ${to}`);
  }
  const outcome = outcomeOf(unit.piece, met, event, to);
  const verdict = referee?.move(from, to);
  if (verdict) {
    state.falling.push(...verdict.fallen);
    if (event.revealed && event.revealed.join() !== verdict.revealed.join())
      throw new Stop('WRONG_IDENTITY', to);
  }
  field.delete(from);
  if (outcome === 'both') field.delete(to);
  else if (outcome !== 'defender') field.set(to, unit);
  if (version === 1 && met?.piece === 'FLAG' && outcome !== 'none') clear(field, met.seat);
  return event.route ?? route;
}

function wayOf(field: Map<string, Unit>, unit: Unit, from: string, to: string): string[] | null {
  const as = (piece: Piece) => routesFrom(new Map(field).set(from, { ...unit, piece }), from).get(to) ?? null;
  return unit.piece ? as(unit.piece) : (as('COMMANDER') ?? as('ENGINEER'));
}

function outcomeOf(piece: Piece | null, met: Unit | undefined, event: FileEvent, to: string) {
  if (!met) {
    if (event.outcome && event.outcome !== 'none') throw new Stop('WRONG_OUTCOME', to);
    return 'none' as const;
  }
  if (piece && met.piece) {
    const ruled = battle(piece, met.piece);
    if (event.outcome && event.outcome !== ruled) throw new Stop('WRONG_OUTCOME', to);
    return ruled;
  }
  if (!event.outcome || event.outcome === 'none') throw new Stop('UNKNOWN_RESULT', to);
  return event.outcome;
}

function fall(state: State, event: FileEvent): void {
  const { seat } = event;
  const [ruled, cause] = state.falling.shift() ?? [];
  if (!seat || (state.referee && (ruled !== seat || (event.why && cause !== event.why)))) {
    throw new Stop('WRONG_ELIMINATION', seat ?? '');
  }
  clear(state.field, seat);
}

function clear(field: Map<string, Unit>, seat: Seat): void {
  for (const [at, unit] of field) {
    if (unit.seat === seat) field.delete(at);
  }
}
