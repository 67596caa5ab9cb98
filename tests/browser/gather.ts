// Four people at one table, and a fifth in the lobby.
import { type Browser, expect } from '@playwright/test';
import { person, register, sit } from './people.ts';
import { seated } from './session.ts';

/** Lets them register and sit down; one of the four is on a phone. */
export async function gather(browser: Browser) {
  // Pieces that walk cost more than all else, and are tried elsewhere.
  const calm = { reducedMotion: 'reduce' } as const;
  const ana = await person(browser, 'desktop', 'Ana', calm);
  const bei = await person(browser, 'phone', 'Bei', calm);
  const chu = await person(browser, 'desktop', 'Chu', calm);
  const duo = await person(browser, 'desktop', 'Duo', calm);
  const eli = await person(browser, 'desktop', 'Eli', calm);
  const all = [ana, bei, chu, duo];
  await Promise.all([...all, eli].map(register));
  await Promise.all(all.map(sit));
  const people = await Promise.all(all.map(seated));
  expect(new Set(people.map(({ match }) => match)).size).toBe(1);
  expect(new Set(people.map(({ seat }) => seat)).size).toBe(4);
  return { all, people, eli };
}
