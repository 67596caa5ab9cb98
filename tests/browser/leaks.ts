// Looks through what a browser was sent, and through what it shows, for identities that its person may not know.
import type { Page } from '@playwright/test';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every place where somebody else's identity stands in the payloads. Flags that the rules made public are none. */
export function leaks(payloads: readonly string[]): string[] {
  const found: string[] = [];
  let mine: unknown;
  const walk = (value: unknown, at: string): void => {
    if (!isObject(value)) return;
    if ('mySeat' in value) mine = value.mySeat;
    const { identity, seat, faceDown } = value;
    const hidden = identity !== 'FLAG' || faceDown === true;
    if (typeof identity === 'string' && seat !== undefined && seat !== mine && hidden) {
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

/** Where the words for the own pieces belong, and words that are the same for everybody. */
const OWN = '.own-pieces, .bars, .card.first, script, style, .nodes [aria-label*="自己的"]';
const NAMES = '司令|军长|师长|旅长|团长|营长|连长|排长|工兵|炸弹|地雷';
const CODES = 'COMMANDER|GENERAL|BRIGADIER|COLONEL|MAJOR|CAPTAIN|LIEUTENANT|ENGINEER|BOMB';

/** Every rank, public flags excepted, that the document of a table tells of pieces which are not the viewer's own. */
export async function shownLeaks(page: Page): Promise<string[]> {
  return page.evaluate(
    ([own, words]) => {
      const body = document.body.cloneNode(true) as HTMLElement;
      const side = /side-[SENW]/.exec(body.querySelector('.seat.mine')?.className ?? '')?.[0];
      for (const element of body.querySelectorAll(own as string)) element.remove();
      if (side) for (const piece of body.querySelectorAll(`.pieces .${side}`)) piece.remove();
      const ranks = [...body.querySelectorAll('.pieces .rank')]
        .map((rank) => rank.textContent ?? '')
        .filter((rank) => !rank.includes('旗'));
      const told = [...body.outerHTML.matchAll(new RegExp(`.{0,60}(?:${words}).{0,20}`, 'g'))];
      return [...ranks, ...told.map(([text]) => text)];
    },
    [OWN, `${NAMES}|${CODES}`],
  );
}
