// Looks through what a browser was sent for identities that its person may not know.

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every place where somebody else's identity stands in the payloads. */
export function leaks(payloads: readonly string[]): string[] {
  const found: string[] = [];
  let mine: unknown;
  const walk = (value: unknown, at: string): void => {
    if (!isObject(value)) return;
    if ('mySeat' in value) mine = value.mySeat;
    const { identity, seat } = value;
    if (typeof identity === 'string' && seat !== undefined && seat !== mine && identity !== 'FLAG') {
      found.push(`${at}: ${identity} of ${String(seat)}`);
    }
    for (const [key, inner] of Object.entries(value)) walk(inner, `${at}.${key}`);
  };
  for (const payload of payloads) {
    if (payload.startsWith('page error')) found.push(payload);
    if (payload.startsWith('{')) walk(JSON.parse(payload), '');
  }
  return found;
}

/** How many pieces' positions the payloads told, so that a scan that saw nothing does not pass. */
export const boardsSeen = (payloads: readonly string[]): number =>
  payloads.filter((payload) => payload.includes('"board":[{')).length;
