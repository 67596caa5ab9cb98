// A replay file played through by the rules: one frame an event, up to the first contradiction. Pure; shows nothing.
import type { Piece, Seat } from '../board/nodes.ts';
import type { Shown } from '../board/pieces.ts';
import { battle } from './battle.ts';
import { Conduct } from './conduct.ts';
import type { FileEvent, ReplayFile } from './format.ts';
import { type Field, routesFrom, type Unit } from './moves.ts';
import { Stop, type Why } from './verdict.ts';

/** The board after an event. */
export interface Frame {
  /** Null for the initial position. */
  readonly event: FileEvent | null;
  readonly pieces: readonly Shown[];
  readonly route: readonly string[] | null;
}

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

/** Plays a file through. */
export function play(file: ReplayFile): Played {
  const field = new Map(
    file.initial.map(({ at, seat, piece }): [string, Unit] => [at, { handle: at, seat, piece }]),
  );
  const conduct = file.complete && new Conduct(file.complete, [...field]);
  const show = painter();
  let pieces = show(field);
  const frames: Frame[] = [{ event: null, pieces, route: null }];
  let contradiction: Contradiction | null = null;
  try {
    for (const [i, event] of file.events.entries()) {
      const told = file.complete?.events[i];
      if (told) conduct?.judge(told);
      const route = apply(field, event, file.version);
      if (SILENT.has(event.kind)) continue;
      if (event.kind === 'moved' || event.kind === 'seat_eliminated') pieces = show(field);
      frames.push({ event, pieces, route });
    }
    conduct?.finish();
  } catch (stop) {
    if (!(stop instanceof Stop)) throw stop;
    contradiction = { frame: frames.length, why: stop.why, at: stop.at };
  }
  return { frames, contradiction, unknown: file.initial.filter(({ piece }) => piece === null).length };
}

/** Boards as lists; what stands where it stood is one object in all of them, so that long files stay small. */
function painter(): (field: Field) => readonly Shown[] {
  const known = new Map<string, { unit: Unit; shown: Shown }>();
  return (field) => {
    const pieces: Shown[] = [];
    for (const [at, unit] of field) {
      let one = known.get(at);
      if (one?.unit !== unit) {
        const { handle, seat, piece } = unit;
        one = { unit, shown: { handle, at, seat, identity: piece } };
        known.set(at, one);
      }
      pieces.push(one.shown);
    }
    return pieces;
  };
}

/** What an event does to the board; a seat that fell stands until the file says so. */
function apply(field: Map<string, Unit>, event: FileEvent, version: 1 | 2): readonly string[] | null {
  if (event.kind === 'seat_eliminated' && event.seat) clear(field, event.seat);
  return event.kind === 'moved' ? move(field, event, version) : null;
}

/** A move. Version 2 was judged before; in version 1 no more can be asked than the file tells. */
function move(field: Map<string, Unit>, event: FileEvent, version: 1 | 2): readonly string[] {
  const from = event.from ?? '';
  const to = event.to ?? '';
  const unit = field.get(from);
  if (!unit) throw new Stop('NOT_A_PIECE', from);
  const met = field.get(to);
  const route = event.route ?? wayOf(field, unit, from, to);
  if (!route) throw new Stop('ILLEGAL', `${from} → ${to}`);
  const outcome = outcomeOf(unit.piece, met, event, to);
  field.delete(from);
  if (outcome === 'both') field.delete(to);
  else if (outcome !== 'defender') field.set(to, unit);
  if (version === 1 && met?.piece === 'FLAG' && outcome !== 'none') clear(field, met.seat);
  return route;
}

function wayOf(field: Map<string, Unit>, unit: Unit, from: string, to: string): string[] | null {
  if (unit.piece) return routesFrom(field, from).get(to) ?? null;
  const as = (piece: Piece) => {
    field.set(from, { ...unit, piece });
    const route = routesFrom(field, from).get(to) ?? null;
    field.set(from, unit);
    return route;
  };
  return as('COMMANDER') ?? as('ENGINEER');
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

function clear(field: Map<string, Unit>, seat: Seat): void {
  for (const [at, unit] of field) {
    if (unit.seat === seat) field.delete(at);
  }
}
