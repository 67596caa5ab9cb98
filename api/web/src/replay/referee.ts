// A small referee of the formal rules, so that a file can be checked without a server. It judges and keeps the
// position; it reads no file and shows nothing.
import { SEATS, type Seat, seatAfter, sideOf } from '../board/nodes.ts';
import { battle, type Outcome } from './battle.ts';
import { hasMove, routesFrom, type Unit } from './moves.ts';

/** Why a seat fell. */
export type Cause = 'flag_captured' | 'surrender' | 'no_moves';
/** How a match ended on the board. */
export type End = { kind: 'win'; side: 'RED' | 'BLUE' } | { kind: 'no_result' };

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
  turn: Seat | null;
  end: End | null = null;

  constructor(pieces: Iterable<[string, Unit]>, first: Seat) {
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
      const flag = commander ? this.flagOf(seat) : null;
      if (flag) revealed.push([seat, flag]);
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
    else this.settle();
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
    for (const [at, unit] of this.field) {
      if (unit.seat === seat) this.field.delete(at);
    }
    fallen.push([seat, cause]);
  }

  /** Whether the match is over now. */
  private settle(): boolean {
    for (const side of ['RED', 'BLUE'] as const) {
      if (![...this.active].some((seat) => sideOf(seat) === side)) {
        this.end = { kind: 'win', side: side === 'RED' ? 'BLUE' : 'RED' };
      }
    }
    if (!this.end && ![...this.active].some((seat) => hasMove(this.field, seat)))
      this.end = { kind: 'no_result' };
    if (this.end) this.turn = null;
    return this.end !== null;
  }

  private pass(fallen: [Seat, Cause][]): void {
    let at = this.turn;
    while (at && !this.settle()) {
      at = seatAfter(at, 1);
      if (!this.active.has(at)) continue;
      if (hasMove(this.field, at)) {
        this.turn = at;
        return;
      }
      this.fell(at, 'no_moves', fallen);
    }
  }
}
