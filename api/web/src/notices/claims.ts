// Which notices this browser has shown already: kept for all of its tabs, so that each is shown once.
import { keep, recall } from '../ui/store.ts';

const KEY = 'shown';
/** So many are remembered; older ones are not shown again because they are not new then. */
const MOST = 300;

/** Takes what nobody showed yet out of the names, and remembers it as shown. */
export function claim(names: readonly string[]): readonly string[] {
  const shown = recall<string[]>(KEY, []);
  const free = names.filter((name, i) => !shown.includes(name) && names.indexOf(name) === i);
  if (free.length) keep(KEY, [...shown, ...free].slice(-MOST));
  return free;
}

/** So long a name is held: what one tab keeps reaches the others' storage a little later. */
const HELD = 60_000;

/** Whether no other tab holds the name; from now on this one does. */
const first = (name: string) =>
  new Promise<boolean>((told) => {
    const hold = (lock: Lock | null) => {
      told(lock !== null);
      return lock && new Promise((over) => setTimeout(over, HELD));
    };
    navigator.locks.request(`yibu.shown ${name}`, { ifAvailable: true }, hold).catch(() => told(true));
  });

/** `claim` over all tabs: of two that find a name free, the one that is first to hold it. */
export async function claimAmongTabs(names: readonly string[]): Promise<readonly string[]> {
  const free = claim(names);
  if (!navigator.locks) return free;
  const mine = await Promise.all(free.map(first));
  return free.filter((_, i) => mine[i]);
}
