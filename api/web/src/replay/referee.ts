// A small referee of the formal rules, so that a file can be checked without a server. It judges and keeps the
// position; it reads no file and shows nothing.
import { nodeOf, SEATS, type Seat, seatAfter, sideOf } from '../board/nodes.ts';
import { battle, type Outcome } from './battle.ts';
import { hasMove, routesFrom, type Unit } from './moves.ts';

/** Why a seat fell. */
export type Cause = 'flag_captured' | 'surrender' | 'no_moves';
/** How a match ended on the board. */
export type End =
  | { kind: 'win'; side: 'RED' | 'BLUE'; by: 'board' | 'both_stuck' }
  | { kind: 'no_result'; by: 'both_stuck' }
  | { kind: 'draw'; by: 'no_loss' };
/** What a rule set can say of the board. */
export interface Options {
  order: 'ccw' | 'cw';
  bothStuck: 'no_result' | 'mover_loses';
  noLossDraw: number | null;
}

const FORMAL: Options = { order: 'ccw', bothStuck: 'no_result', noLossDraw: null };

/** What an act brought. */
export interface Verdict {
  route: readonly string[];
  outcome: Outcome;
  revealed: readonly [Seat, string][];
  fallen: readonly [Seat, Cause][];
}

/** The position of a match that is replayed; every identity is known. */
export class Referee {
  readonly field: Map<string, Unit>;
  readonly active = new Set<Seat>(SEATS);
  /** What each seat that fell had on the board then, by position. */
  readonly cleared = new Map<Seat, readonly Unit[]>();
  turn: Seat | null;
  end: End | null = null;
  /** Seats whose flag is public: it becomes so once. */
  private readonly open = new Set<Seat>();
  /** Moves since the last loss. */
  private quiet = 0;

  constructor(
    pieces: Iterable<[string, Unit]>,
    first: Seat,
    private readonly options: Options = FORMAL,
  ) {
    this.field = new Map(pieces);
    this.turn = first;
  }

  /** Moves a piece of the seat on turn; null when that is not legal. */
  move(from: string, to: string): Verdict | null {
    const unit = this.field.get(from);
    const route = routesFrom(this.field, from).get(to);
    if (!unit || !route || this.end || unit.seat !== this.turn) return null;
    const met = this.field.get(to);
    const outcome = met?.piece && unit.piece ? battle(unit.piece, met.piece) : 'none';
    this.quiet = outcome === 'none' ? this.quiet + 1 : 0;
    this.field.delete(from);
    if (outcome === 'both') this.field.delete(to);
    else if (outcome !== 'defender') this.field.set(to, unit);
    const lost = [
      outcome === 'defender' || outcome === 'both' ? unit : null,
      outcome === 'attacker' || outcome === 'both' ? met : null,
    ];
    const fallen: [Seat, Cause][] = [];
    const captured = met?.piece === 'FLAG' ? met.seat : null;
    const revealed: [Seat, string][] = [];
    for (const seat of SEATS) {
      const commander = lost.some((gone) => gone?.piece === 'COMMANDER' && gone.seat === seat);
      const flag = commander && !this.open.has(seat) ? this.flagOf(seat) : null;
      if (!flag) continue;
      revealed.push([seat, flag]);
      this.open.add(seat);
    }
    if (captured) this.fell(captured, 'flag_captured', fallen);
    this.pass(fallen);
    return { route, outcome, revealed, fallen };
  }

  /** Passes the turn. */
  skip(): Verdict {
    const fallen: [Seat, Cause][] = [];
    this.pass(fallen);
    return { route: [], outcome: 'none', revealed: [], fallen };
  }

  /** Takes a seat out. */
  surrender(seat: Seat): Verdict {
    const fallen: [Seat, Cause][] = [];
    this.fell(seat, 'surrender', fallen);
    if (seat === this.turn) this.pass(fallen);
    else if (this.turn) this.settle(this.turn);
    return { route: [], outcome: 'none', revealed: [], fallen };
  }

  private flagOf(seat: Seat): string | null {
    for (const [at, unit] of this.field) {
      if (unit.seat === seat && unit.piece === 'FLAG') return at;
    }
    return null;
  }

  private fell(seat: Seat, cause: Cause, fallen: [Seat, Cause][]): void {
    this.active.delete(seat);
    this.quiet = 0;
    const own = [...this.field].filter(([, unit]) => unit.seat === seat);
    own.sort(([a], [b]) => (nodeOf(a)?.index ?? 0) - (nodeOf(b)?.index ?? 0));
    this.cleared.set(
      seat,
      own.map(([, unit]) => unit),
    );
    for (const [at] of own) this.field.delete(at);
    fallen.push([seat, cause]);
  }

  /** Whether the match is over now; `mover` would be on turn. */
  private settle(mover: Seat): boolean {
    this.end = this.verdict(mover);
    if (this.end) this.turn = null;
    return this.end !== null;
  }

  private verdict(mover: Seat): End | null {
    const { bothStuck, noLossDraw } = this.options;
    const other = (side: 'RED' | 'BLUE') => (side === 'RED' ? 'BLUE' : 'RED');
    for (const side of ['RED', 'BLUE'] as const) {
      if (![...this.active].some((seat) => sideOf(seat) === side))
        return { kind: 'win', side: other(side), by: 'board' };
    }
    if (![...this.active].some((seat) => hasMove(this.field, seat))) {
      return bothStuck === 'no_result'
        ? { kind: 'no_result', by: 'both_stuck' }
        : { kind: 'win', side: other(sideOf(mover)), by: 'both_stuck' };
    }
    return noLossDraw !== null && this.quiet >= noLossDraw ? { kind: 'draw', by: 'no_loss' } : null;
  }

  /** The active seat that follows in the order of play; the same when no other is left. */
  private after(seat: Seat): Seat {
    const step = this.options.order === 'ccw' ? 1 : 3;
    const next = [1, 2, 3].map((n) => seatAfter(seat, n * step)).find((one) => this.active.has(one));
    return next ?? seat;
  }

  private pass(fallen: [Seat, Cause][]): void {
    while (this.turn) {
      const next = this.after(this.turn);
      if (this.settle(next)) return;
      this.turn = next;
      if (hasMove(this.field, next)) return;
      this.fell(next, 'no_moves', fallen);
    }
  }
}
