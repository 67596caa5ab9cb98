// What a file of version 2 says of itself, judged as the server judges it before anything is played.
import { kindAt, nodeOf, SEATS, type Seat, sideOf } from '../board/nodes.ts';
import { isWhole, mayStand } from '../formation/rules.ts';
import { FileFault, type Initial } from './format.ts';

/** A seat's pieces are a legal formation; the fault names the entry that cannot stand, or the list. */
export function judgeFormation(one: Seat, placed: readonly Initial[], where: string): void {
  const seen = new Set<string>();
  const formation = placed.map(({ at, piece }, i) => {
    const { seat: area = null, row = 0, col = 0 } = nodeOf(at) ?? {};
    const legal = area === one && kindAt(row, col) !== 'camp' && !seen.has(at);
    seen.add(at);
    if (!legal || !piece || !mayStand(piece, row, col)) throw new FileFault('FORMATION', `${where}[${i}]`);
    return { row, col, piece };
  });
  if (!isWhole(formation)) throw new FileFault('FORMATION', where);
}

/** The log has every event that is told, and those that are not public besides. */
export function judgeLog({ events, hash }: Record<string, unknown>, told: number): void {
  if (!Number.isSafeInteger(events) || (events as number) < 0 || typeof hash !== 'string') {
    throw new FileFault('FIELD', 'log');
  }
  if ((events as number) < told) throw new FileFault('COUNT', 'log.events');
}

/** The parts of a file that its schema cannot judge by itself. */
export interface Whole {
  seats: Record<string, { side: string; pieces: readonly { at: string }[] }>;
  rules: { seats: readonly string[] };
}

/** The four seats, each on its own side and with its pieces in the order of the positions. */
export function judgeWhole({ seats, rules }: Whole): void {
  for (const one of SEATS) {
    const where = `seats.${one.toLowerCase()}`;
    const { side, pieces } = seats[one.toLowerCase()] ?? { side: '', pieces: [] };
    if (side !== sideOf(one).toLowerCase()) throw new FileFault('FIELD', `${where}.side`);
    const order = pieces.map(({ at }) => nodeOf(at)?.index ?? 0);
    if (order.some((index, i) => i > 0 && index < (order[i - 1] ?? 0)))
      throw new FileFault('FIELD', `${where}.pieces`);
  }
  if (rules.seats.join('') !== 'senw') throw new FileFault('FIELD', 'rules.seats');
}
