// What a file of version 2 says of itself, judged as the server judges it before anything is played.
import { kindAt, nodeOf, type Seat } from '../board/nodes.ts';
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
