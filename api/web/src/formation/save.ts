// Formations that this browser keeps, and the file that they are exported as.
import { download } from '../ui/download.ts';
import { keep, recall } from '../ui/store.ts';
import type { Placed } from './rules.ts';

/** A formation with a name. */
export interface Named {
  name: string;
  pieces: Placed[];
}

const KEY = 'formations';
const MOST = 50;

/** The kept formations, the latest first. */
export const savedFormations = (): Named[] => recall<Named[]>(KEY, []);

/** Keeps a formation; one of the same name is replaced. */
export function saveFormation(named: Named): void {
  keep(KEY, [named, ...savedFormations().filter(({ name }) => name !== named.name)].slice(0, MOST));
}

/** Forgets a formation. */
export function forgetFormation(name: string): void {
  keep(
    KEY,
    savedFormations().filter((one) => one.name !== name),
  );
}

/** Downloads a formation as a file. */
export function exportFormation({ name, pieces }: Named): void {
  const file = {
    format: 'yibu-formation',
    version: 1,
    name,
    pieces: pieces.map(({ row, col, piece }) => ({ row, col, piece: piece.toLowerCase() })),
  };
  const safe = name.replaceAll(/[^\p{L}\p{N} _-]/gu, '').trim() || 'formation';
  download(`${safe}.yibu-formation.json`, `${JSON.stringify(file, null, 1)}\n`);
}
