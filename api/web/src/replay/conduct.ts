// A complete record judged again, as the server judges it: every deed is asked of the rules and must bring what the
// record tells, with every clock, vote, person and point. Never trusts a result of the record.
import { SEATS, type Seat, sideOf } from '../board/nodes.ts';
import type { Complete, Deed, Outcome, Told } from './complete.ts';
import type { Unit } from './moves.ts';
import { letter, People } from './people.ts';
import { type Cause, Referee } from './referee.ts';
import { differs, Stop, same, type Why } from './verdict.ts';

type Kind = 'normal' | 'takeover_first' | 'vacant';

/** The clock that runs. */
interface Turn {
  readonly number: number;
  readonly seat: Seat;
  readonly kind: Kind;
  readonly since: number;
  deadline: number;
  /** A draw was offered in it. */
  offered: boolean;
}

/** An offer that is open. */
interface Offer {
  readonly offer: number;
  readonly seat: Seat;
  readonly accepted: Set<Seat>;
}

const BEFORE = ['opened', 'seat_taken', 'seat_released', 'ready', 'ready_taken_back', 'release_moved'];
const SIDES = ['RED', 'BLUE'] as const;

const small = (piece: string | null | undefined) => piece?.toLowerCase() ?? null;
const gone = ({ seat, handle, piece }: Unit) => ({ seat: letter(seat), start: handle, piece: small(piece) });
const text = (ms: number) => new Date(ms).toISOString();

/** A record as it is judged, event by event. */
export class Conduct {
  private readonly people: People;
  private referee: Referee | null = null;
  /** Decided and not yet told by the record. */
  private due: Deed[] = [];
  private done = 0;
  /** The instant of the last decision, as the file writes it. */
  private at = '';
  private turn: Turn | null = null;
  private turns = 0;
  private readonly skips = new Map<Seat, number>();
  private draw: Offer | null = null;
  private offers = 0;
  private outcome: Outcome | null = null;
  private ended = false;

  constructor(
    private readonly record: Complete,
    private readonly pieces: readonly [string, Unit][],
  ) {
    this.people = new People(record);
  }

  /** Judges the next event. Throws a `Stop` at a contradiction. */
  judge(told: Told): void {
    if (this.ended) throw this.wrong('AFTER_END', told);
    if (told.number !== this.done + 1) throw this.wrong('OUT_OF_ORDER', told);
    if (this.referee) this.follow(told);
    else this.assemble(told);
    this.done += 1;
  }

  /** After the last event the match has to be over. */
  finish(): void {
    if (!this.ended) throw new Stop('UNFINISHED');
  }

  private follow(told: Told): void {
    if (this.due.length === 0) this.act(told);
    const ruled = this.due.shift();
    if (!ruled) throw this.wrong('OUT_OF_PLACE', told);
    if (told.at !== this.at) throw this.wrong('OUT_OF_ORDER', told);
    const { number: _, at: __, ...deed } = told;
    if (!same(ruled, deed)) throw this.wrong(differs(ruled, told), told);
    if (ruled.kind === 'ended') this.close();
  }

  private wrong(why: Why, { kind, seat, from, to }: Told): Stop {
    return new Stop(why, kind === 'moved' ? `${from} → ${to}` : (seat ?? '').toUpperCase());
  }

  private tell(kind: string, fields: Record<string, unknown> = {}): void {
    this.due.push({ kind, ...fields });
  }

  private assemble(told: Told): void {
    if (BEFORE.includes(told.kind)) return;
    if (told.kind !== 'started') throw this.wrong('OUT_OF_PLACE', told);
    if (told.at !== this.record.match.startedAt) throw this.wrong('OUT_OF_ORDER', told);
    const first = told.seat?.toUpperCase() as Seat;
    this.at = told.at;
    this.referee = new Referee(this.pieces, first, this.record.rules);
    this.people.start(told.at);
    this.reach(first);
  }

  /** Asks the rules for what the record says was done. */
  private act(told: Told): void {
    const { kind } = told;
    const seat = told.seat?.toUpperCase() as Seat;
    if (kind === 'moved' && this.referee?.field.get(told.from as string)?.seat !== seat)
      throw new Stop('NOT_A_PIECE', told.from as string);
    const acts: Record<string, () => void> = {
      moved: () => this.move(seat, told),
      skipped: () => this.skip(seat, told),
      draw_offered: () => this.offer(seat, told),
      draw_voted: () => this.vote(seat, told),
      surrendered: () => this.surrender(seat, told),
      team_surrender_confirmed: () => this.giveUp(told),
      left: () => this.leave(seat, told),
      timed_out: () => this.expire(told),
      takeover_wait_expired: () => this.expire(told),
      seat_taken_over: () => this.takeOver(seat, told),
      deadline_moved: () => this.shift(told),
      voided: () => this.voided(told),
    };
    const act = Object.hasOwn(acts, kind) && acts[kind];
    if (!act) throw this.wrong('OUT_OF_PLACE', told);
    if (told.at < this.at) throw this.wrong('OUT_OF_ORDER', told);
    act();
  }

  /** What is due happens before anything else. */
  private inTime(told: Told): void {
    if (this.turn && Date.parse(told.at) >= this.turn.deadline) throw this.wrong('OUT_OF_ORDER', told);
    this.at = told.at;
  }

  /** Somebody sits there and still plays, in time. */
  private seated(seat: Seat, told: Told): string {
    const person = this.people.in(seat);
    if (!person) throw new Stop('WRONG_PERSON', seat);
    this.inTime(told);
    // Whoever would sit in two seats acts for the first.
    if (this.people.seatOf(person.player) !== seat) throw this.wrong('NOT_ITS_TURN', told);
    if (!this.plays(seat)) throw this.wrong('OUT_OF_PLACE', told);
    return person.player;
  }

  /** The same, and its turn. */
  private onTurn(seat: Seat, told: Told): Turn {
    this.seated(seat, told);
    if (this.turn?.seat !== seat) throw this.wrong('NOT_ITS_TURN', told);
    return this.turn;
  }

  private plays(seat: Seat): boolean {
    return Boolean(this.referee?.active.has(seat) && this.people.in(seat));
  }

  private move(seat: Seat, told: Told): void {
    const { number } = this.onTurn(seat, told);
    const { referee } = this;
    const [from, to] = [told.from as string, told.to as string];
    const unit = referee?.field.get(from);
    const met = referee?.field.get(to);
    const verdict = referee?.move(from, to);
    if (!unit || !verdict) throw this.wrong('ILLEGAL', told);
    const { outcome } = verdict;
    const lost = [
      outcome === 'defender' || outcome === 'both' ? unit : undefined,
      outcome === 'attacker' || outcome === 'both' ? met : undefined,
    ];
    this.tell('moved', {
      turn: number,
      seat: letter(seat),
      start: unit.handle,
      from,
      to,
      route: verdict.route,
      outcome,
      attacker: small(unit.piece),
      defender: small(met?.piece),
      removed: lost.filter((one) => one !== undefined).map(gone),
      revealed: verdict.revealed.map(([of, at]) => ({ seat: letter(of), at })),
      captured: met?.piece === 'FLAG' ? letter(met.seat) : null,
    });
    this.conclude(verdict.fallen, true);
  }

  private skip(seat: Seat, told: Told): void {
    const { number } = this.onTurn(seat, told);
    const used = (this.skips.get(seat) ?? 0) + 1;
    if (used > this.record.rules.skips) throw this.wrong('OUT_OF_PLACE', told);
    this.skips.set(seat, used);
    this.tell('skipped', { turn: number, seat: letter(seat), used });
    this.conclude(this.referee?.skip().fallen ?? [], true);
  }

  private surrender(seat: Seat, told: Told): void {
    const player = this.seated(seat, told);
    this.tell('surrendered', { seat: letter(seat), player });
    const passes = this.turn?.seat === seat;
    this.conclude(this.referee?.surrender(seat).fallen ?? [], passes);
  }

  private giveUp(told: Told): void {
    const side = (told.side as string).toUpperCase() as 'RED' | 'BLUE';
    for (const seat of SEATS.filter((one) => sideOf(one) === side)) this.seated(seat, told);
    this.tell('team_surrender_confirmed', { side: told.side });
    this.end({ kind: 'win', side: side === 'RED' ? 'blue' : 'red', by: 'team_surrender' });
  }

  private leave(seat: Seat, told: Told): void {
    this.seated(seat, told);
    this.depart(seat, 'left');
  }

  /** The clock ran out: at its own instant, neither before nor after. */
  private expire(told: Told): void {
    const { turn } = this;
    const now = Date.parse(told.at);
    if (!turn || now < turn.deadline) throw this.wrong('OUT_OF_PLACE', told);
    if (now > turn.deadline) throw this.wrong('OUT_OF_ORDER', told);
    this.at = told.at;
    if (turn.kind === 'vacant') {
      this.tell('takeover_wait_expired', { turn: turn.number, seat: letter(turn.seat) });
      this.end({ kind: 'no_result', by: 'wait_expired' });
    } else this.depart(turn.seat, 'timed_out');
  }

  private depart(seat: Seat, why: 'left' | 'timed_out'): void {
    const player = this.people.in(seat)?.player;
    const points = this.record.rules.points.departure;
    this.tell(why, { seat: letter(seat), player, turn: this.turns, points });
    this.tell('seat_vacated', { seat: letter(seat), player });
    this.people.leave(seat, this.at, why);
    this.skips.delete(seat);
    this.draw?.accepted.delete(seat);
    this.settle(null);
    if (!this.outcome && this.turn?.seat === seat) this.reach(seat);
  }

  private takeOver(seat: Seat, told: Told): void {
    this.inTime(told);
    const { turn } = this;
    const vacant = turn?.kind === 'vacant' && turn.seat === seat;
    const tenure = vacant ? this.people.takeOver(seat, told.player, told.at) : null;
    if (!turn || tenure === null) throw this.wrong('WRONG_PERSON', told);
    this.tell('seat_taken_over', { seat: letter(seat), player: told.player, turn: turn.number, tenure });
    this.clock(seat, 'takeover_first');
  }

  /** An outage moves the open deadline by its length. */
  private shift(told: Told): void {
    const { turn } = this;
    const [old, moved, now] = [told.oldDeadline, told.newDeadline, told.at].map((at) =>
      Date.parse(at as string),
    ) as [number, number, number];
    const length = moved - old;
    const from = Math.min(old, now - length);
    const short = length < this.record.rules.durations.outageMinimum;
    if (!turn || short || turn.since >= from + length) throw this.wrong('OUT_OF_PLACE', told);
    if (turn.deadline < from) throw this.wrong('OUT_OF_ORDER', told);
    this.at = told.at;
    this.tell('deadline_moved', {
      turn: turn.number,
      seat: letter(turn.seat),
      oldDeadline: text(turn.deadline),
      newDeadline: text(turn.deadline + length),
    });
    turn.deadline += length;
  }

  private voided(told: Told): void {
    this.inTime(told);
    this.tell('voided', { reason: told.reason });
    this.end({ kind: 'no_result', by: 'voided' });
  }

  private offer(seat: Seat, told: Told): void {
    const turn = this.onTurn(seat, told);
    if (turn.offered || this.draw || !this.opponents(seat)) throw this.wrong('OUT_OF_PLACE', told);
    this.offers += 1;
    turn.offered = true;
    this.draw = { offer: this.offers, seat, accepted: new Set() };
    this.tell('draw_offered', { offer: this.offers, seat: letter(seat) });
  }

  private vote(seat: Seat, told: Told): void {
    this.seated(seat, told);
    const { draw } = this;
    if (!draw || draw.offer !== told.offer || draw.seat === seat || draw.accepted.has(seat))
      throw this.wrong('OUT_OF_PLACE', told);
    this.tell('draw_voted', { offer: draw.offer, seat: letter(seat), accept: told.accept });
    if (told.accept) {
      draw.accepted.add(seat);
      this.resolve();
    } else this.lapse('declined');
  }

  private opponents(seat: Seat): boolean {
    return SEATS.some((other) => sideOf(other) !== sideOf(seat) && this.plays(other));
  }

  private lapse(reason: string): void {
    const { draw } = this;
    if (draw) this.tell('draw_lapsed', { offer: draw.offer, seat: letter(draw.seat), reason });
    this.draw = null;
  }

  /** Agrees or lapses the open offer if the votes that still count say so; whether the match ended by it. */
  private resolve(): boolean {
    const { draw } = this;
    if (!draw) return false;
    if (!this.plays(draw.seat)) this.lapse('offerer_gone');
    else if (!this.opponents(draw.seat)) this.lapse('no_opponent');
    else if (SEATS.every((seat) => seat === draw.seat || !this.plays(seat) || draw.accepted.has(seat))) {
      this.tell('draw_agreed', { offer: draw.offer, seat: letter(draw.seat) });
      this.end({ kind: 'draw', by: 'agreed' });
      return true;
    }
    return false;
  }

  /** What follows from an action on the board: who falls, the end, the next clock. */
  private conclude(fallen: readonly [Seat, Cause][], passes: boolean): void {
    const { referee } = this;
    for (const [seat, cause] of fallen) {
      const removed = (referee?.cleared.get(seat) ?? []).map(gone);
      this.tell('seat_eliminated', { seat: letter(seat), cause, removed });
      this.draw?.accepted.delete(seat);
    }
    const end = referee?.end;
    if (end) this.end(end.kind === 'win' ? { ...end, side: end.side === 'RED' ? 'red' : 'blue' } : end);
    else this.settle(passes ? (referee?.turn ?? null) : null);
  }

  /** The end of a side, offers that lost their ground, and the clock of who is next. */
  private settle(next: Seat | null): void {
    const left = SIDES.find((side) => this.people.gone(side));
    if (left) this.end({ kind: 'win', side: left === 'RED' ? 'blue' : 'red', by: 'side_gone' });
    if (left || this.resolve() || !next) return;
    if (this.draw?.seat === next) this.lapse('next_turn');
    this.reach(next);
  }

  /** The turn reaches a seat: its clock starts, or the wait for somebody who takes it over. */
  private reach(seat: Seat): void {
    this.clock(seat, this.people.in(seat) ? 'normal' : 'vacant');
  }

  private clock(seat: Seat, kind: Kind): void {
    const { turn, takeoverFirst, takeoverWait } = this.record.rules.durations;
    const span = { normal: turn, takeover_first: takeoverFirst, vacant: takeoverWait }[kind];
    const since = Date.parse(this.at);
    this.turns += 1;
    this.turn = { number: this.turns, seat, kind, since, deadline: since + span, offered: false };
    const common = { turn: this.turns, seat: letter(seat), deadline: text(since + span) };
    if (kind === 'vacant') this.tell('takeover_wait_opened', common);
    else this.tell('turn_started', { ...common, turnKind: kind });
  }

  private end(outcome: Outcome): void {
    this.outcome = outcome;
    this.turn = null;
    this.draw = null;
    this.tell('ended');
  }

  /** What the record says of the whole match must be what came of it. */
  private close(): void {
    const { record, people, outcome } = this;
    if (!outcome || !same(record.outcome, outcome) || this.at !== record.match.endedAt)
      throw new Stop('WRONG_END');
    const nameless = record.participants.map((one) => ({ ...one, nickname: null }));
    if (!same(people.list(), nameless)) throw new Stop('WRONG_PERSON');
    if (!same(people.settlement(outcome), record.settlement)) throw new Stop('WRONG_SETTLEMENT');
    this.ended = true;
  }
}
