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

/** `claim`, one tab after the other. */
export async function claimAmongTabs(names: readonly string[]): Promise<readonly string[]> {
  if (!navigator.locks) return claim(names);
  return await navigator.locks.request('yibu.shown', () => claim(names));
}
