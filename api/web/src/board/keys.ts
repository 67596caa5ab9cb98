// What keys mean on the board.
import type { Region } from './tracks.ts';

/** A wish by keyboard. */
export type Key =
  | { kind: 'step'; dx: number; dy: number }
  | { kind: 'pick' }
  | { kind: 'drop' }
  | { kind: 'cycle'; by: 1 | -1 }
  | { kind: 'region'; region: Region }
  | { kind: 'read'; what: 'targets' | 'last' | 'clock' };

const REGIONS: readonly Region[] = ['all', 'bottom', 'right', 'top', 'left', 'centre'];
const STEPS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** The wish of a key press; null for keys that are none of the board's. */
export function keyOf(event: KeyboardEvent): Key | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const step = STEPS[event.key];
  if (step) return { kind: 'step', dx: step[0], dy: step[1] };
  const region = /^[0-5]$/.test(event.key) ? REGIONS[Number(event.key)] : undefined;
  if (region) return { kind: 'region', region };
  switch (event.key) {
    case 'Enter':
    case ' ':
      return { kind: 'pick' };
    case 'Escape':
      return { kind: 'drop' };
    case 'n':
      return { kind: 'cycle', by: 1 };
    case 'N':
      return { kind: 'cycle', by: -1 };
    case 't':
      return { kind: 'read', what: 'targets' };
    case 'l':
      return { kind: 'read', what: 'last' };
    case 'c':
      return { kind: 'read', what: 'clock' };
    default:
      return null;
  }
}
