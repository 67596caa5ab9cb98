// Who sits where in a match that is judged again, and what the end is worth to each.
import { SEATS, type Seat, sideOf } from '../board/nodes.ts';
import type { Complete, Letter, Outcome, Sat } from './complete.ts';

/** A seat as files write it. */
export const letter = (seat: Seat): Letter => seat.toLowerCase() as Letter;

type Line = { -readonly [field in keyof Sat]: Sat[field] };

/** The seats' people from the start on. */
export class People {
  private readonly roster: Line[] = [];
  private readonly seated = new Map<Seat, Line>();
  private readonly tenures = new Map<Seat, number>();

  constructor(private readonly record: Complete) {}

  /** The four who start. */
  start(at: string): void {
    for (const seat of SEATS) {
      const first = this.record.participants.find((one) => one.seat === letter(seat));
      if (first) this.sit(seat, first, 'full', at);
    }
  }

  /** Who sits there now. */
  in(seat: Seat): Sat | undefined {
    return this.seated.get(seat);
  }

  /** Where a player sits. */
  seatOf(player: string): Seat | undefined {
    return SEATS.find((seat) => this.seated.get(seat)?.player === player);
  }

  /** Someone of the list takes the seat over, unless it is not their turn to; null then. */
  takeOver(seat: Seat, player: unknown, at: string): number | null {
    const before = this.roster.filter((one) => one.seat === letter(seat)).length;
    const next = this.record.participants.filter((one) => one.seat === letter(seat))[before];
    if (!next || next.player !== player || this.roster.some((one) => one.player === player)) return null;
    this.sit(seat, next, 'takeover', at);
    return this.tenures.get(seat) ?? null;
  }

  /** The seat is without anybody from now on. */
  leave(seat: Seat, at: string, why: 'left' | 'timed_out'): void {
    const line = this.seated.get(seat);
    if (line) Object.assign(line, { leftAt: at, leftWhy: why });
    this.seated.delete(seat);
  }

  /** Whether nobody is left in any of the side's seats. */
  gone(side: 'RED' | 'BLUE'): boolean {
    return SEATS.every((seat) => sideOf(seat) !== side || !this.seated.has(seat));
  }

  /** The list of participants as it has to be, nicknames aside. */
  list(): unknown[] {
    return SEATS.flatMap((seat) => this.roster.filter((one) => one.seat === letter(seat)));
  }

  /** The settlement as it has to be. */
  settlement(outcome: Outcome): unknown[] {
    return SEATS.flatMap((seat) => {
      const one = this.seated.get(seat);
      if (!one) return [];
      const { player, joined } = one;
      const named = this.record.participants.findLast(
        (other) => other.seat === letter(seat) && other.player === player,
      );
      const [result, points] = this.worth(outcome, seat, joined === 'takeover');
      return [{ seat: letter(seat), player, nickname: named?.nickname ?? null, joined, result, points }];
    });
  }

  private worth(outcome: Outcome, seat: Seat, takeover: boolean): [result: string, points: number] {
    if (outcome.kind !== 'win') return [outcome.kind, 0];
    const { points } = this.record.rules;
    const won = outcome.side.toUpperCase() === sideOf(seat);
    const result = won ? 'win' : 'loss';
    if (outcome.by === 'side_gone') return [result, won ? points.sideGone : 0];
    if (outcome.by === 'team_surrender') return [result, won ? 0 : points.teamSurrender];
    return [result, points[takeover ? (`${result}Takeover` as const) : result]];
  }

  private sit(seat: Seat, { player, house }: Sat, joined: Sat['joined'], at: string): void {
    const line: Line = {
      seat: letter(seat),
      player,
      nickname: null,
      house,
      joined,
      joinedAt: at,
      leftAt: null,
      leftWhy: null,
    };
    this.roster.push(line);
    this.seated.set(seat, line);
    this.tenures.set(seat, (this.tenures.get(seat) ?? 0) + 1);
  }
}
