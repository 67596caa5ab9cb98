// Who stays when two pieces meet.
import type { Piece } from '../board/nodes.ts';

/** Which of two pieces stays; `none` when there was nothing to meet. */
export type Outcome = 'none' | 'attacker' | 'defender' | 'both';

const RANKS: readonly Piece[] = [
  'ENGINEER',
  'LIEUTENANT',
  'CAPTAIN',
  'MAJOR',
  'COLONEL',
  'BRIGADIER',
  'MAJOR_GENERAL',
  'GENERAL',
  'COMMANDER',
];

/** The outcome of an attack. In the product's words: `attacker` and `defender` name who stays, `both` that both go. */
export function battle(attacker: Piece, defender: Piece): Outcome {
  if (attacker === 'BOMB' || defender === 'BOMB') return 'both';
  if (defender === 'FLAG') return 'attacker';
  if (defender === 'MINE') return attacker === 'ENGINEER' ? 'attacker' : 'defender';
  const difference = RANKS.indexOf(attacker) - RANKS.indexOf(defender);
  if (difference === 0) return 'both';
  return difference > 0 ? 'attacker' : 'defender';
}
