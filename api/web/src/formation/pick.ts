// Importing a formation from a file of the device: its pieces, or what is wrong with it told. Loaded when somebody imports.
import { formation } from '../i18n/formation.ts';
import { say } from '../ui/toasts.tsx';
import { FormationFault, MOST_BYTES, readFormation } from './read.ts';
import type { Placed } from './rules.ts';

/** The pieces of a file; null after what is wrong was told. */
export async function pickFormation(file: File): Promise<Placed[] | null> {
  await formation.speak();
  try {
    if (file.size > MOST_BYTES) throw new FormationFault((w) => w.tooLarge);
    return readFormation(new Uint8Array(await file.arrayBuffer()));
  } catch (fault) {
    if (!(fault instanceof FormationFault)) throw fault;
    say(fault.tell(formation.words()), true);
    return null;
  }
}
