// A replay file played through by the rules: one frame an event, up to the first contradiction. Pure; shows nothing.
import { type Piece, SEATS, type Seat } from '../board/nodes.ts';
import type { Shown } from '../board/pieces.ts';
import { battle } from './battle.ts';
import type { FileEvent, ReplayFile } from './format.ts';
import { type Field, hasMove, routesFrom, type Unit } from './moves.ts';

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
  'formation_arranged',
  'ready',
  'ready_taken_back',
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
  const field = new Map<string, Unit>(
    file.initial.map(({ at, seat, piece }) => [at, { handle: at, seat, piece }]),
  );
  const state = {
    field,
    active: new Set<Seat>(SEATS),
    turn: null as Seat | null,
    captured: null as Seat | null,
    ended: false,
  };
  const frames: Frame[] = [{ event: null, pieces: shown(field), route: null }];
  let contradiction: Contradiction | null = null;
  for (const event of file.events) {
    if (event.kind === 'turn_started') state.turn = event.seat;
    if (SILENT.has(event.kind)) continue;
    try {
      const route = step(state, event, file.version);
      frames.push({ event, pieces: shown(field), route });
    } catch (stop) {
      if (!(stop instanceof Stop)) throw stop;
      contradiction = { frame: frames.length, why: stop.why, at: stop.at };
      break;
    }
  }
  return { frames, contradiction, unknown: file.initial.filter(({ piece }) => piece === null).length };
}

interface State {
  field: Map<string, Unit>;
  active: Set<Seat>;
  turn: Seat | null;
  captured: Seat | null;
  ended: boolean;
}

function shown(field: Field): Shown[] {
  return [...field].map(([at, { handle, seat, piece }]) => ({ handle, at, seat, identity: piece }));
}

function step(state: State, event: FileEvent, version: 1 | 2): readonly string[] | null {
  if (state.ended) throw new Stop('AFTER_END', event.kind);
  switch (event.kind) {
    case 'moved':
      return move(state, event, version);
    case 'seat_eliminated':
      fall(state, event);
      return null;
    case 'ended':
      state.ended = true;
      return null;
    default:
      return null;
  }
}

function move(state: State, event: FileEvent, version: 1 | 2): readonly string[] {
  const { field } = state;
  const from = event.from ?? '';
  const to = event.to ?? '';
  const unit = field.get(from);
  if (!unit) throw new Stop('NOT_A_PIECE', from);
  if (event.seat && (event.seat !== unit.seat || (state.turn && state.turn !== unit.seat))) {
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
  field.delete(from);
  if (outcome === 'both') field.delete(to);
  else if (outcome !== 'defender') field.set(to, unit);
  if (met?.piece === 'FLAG' && outcome !== 'none') {
    state.captured = met.seat;
    if (version === 1) fall(state, { ...event, seat: met.seat, why: 'flag_captured' });
  }
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
  if (!seat || !state.active.has(seat)) throw new Stop('WRONG_ELIMINATION', seat ?? '');
  if (event.why === 'flag_captured' && state.captured !== seat) throw new Stop('WRONG_ELIMINATION', seat);
  const known = [...state.field.values()].every((unit) => unit.piece !== null);
  if (event.why === 'no_moves' && known && hasMove(state.field, seat))
    throw new Stop('WRONG_ELIMINATION', seat);
  state.active.delete(seat);
  for (const [at, unit] of state.field) {
    if (unit.seat === seat) state.field.delete(at);
  }
}
