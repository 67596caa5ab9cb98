// The document of version 2 as the file has it, after its form was judged: what the rules are asked about.

/** A seat as files write it. */
export type Letter = 's' | 'e' | 'n' | 'w';

/** What happened: a kind and the fields that belong to it. */
export interface Deed {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** An event: its number, its instant and what it was. */
export interface Told extends Deed {
  readonly number: number;
  readonly at: string;
  readonly seat?: Letter;
}

/** Someone who sat in a seat after the start. */
export interface Sat {
  readonly seat: Letter;
  readonly player: string;
  readonly nickname: string | null;
  readonly house: boolean;
  readonly joined: 'full' | 'takeover';
  readonly joinedAt: string;
  readonly leftAt: string | null;
  readonly leftWhy: 'left' | 'timed_out' | null;
}

/** How it ended. */
export type Outcome =
  | { kind: 'win'; side: 'red' | 'blue'; by: 'board' | 'side_gone' | 'team_surrender' | 'both_stuck' }
  | { kind: 'draw'; by: 'agreed' | 'no_loss' }
  | { kind: 'no_result'; by: 'both_stuck' | 'wait_expired' | 'voided' };

/** The rules that held. */
export interface Rules {
  readonly order: 'ccw' | 'cw';
  readonly bothStuck: 'no_result' | 'mover_loses';
  readonly noLossDraw: number | null;
  readonly skips: number;
  readonly durations: Record<'turn' | 'takeoverFirst' | 'takeoverWait' | 'outageMinimum', number>;
  readonly points: Record<
    'win' | 'winTakeover' | 'loss' | 'lossTakeover' | 'departure' | 'sideGone' | 'teamSurrender',
    number
  >;
}

/** A whole finished match. */
export interface Complete {
  readonly match: { readonly startedAt: string; readonly endedAt: string };
  readonly rules: Rules;
  readonly participants: readonly Sat[];
  readonly events: readonly Told[];
  readonly outcome: Outcome;
  readonly settlement: readonly unknown[];
}
