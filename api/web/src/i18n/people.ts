// The group of words of leaderboard, profiles and results.
import { group } from './index.ts';
import type { PeopleWords } from './zh-Hans.people.ts';

/** `words` of players and their results, and `speak`, which loads them. */
export const people = group<PeopleWords>({
  'zh-Hans': () => import('./zh-Hans.people.ts'),
  'zh-Hant': () => import('./zh-Hant.people.ts'),
  en: () => import('./en.people.ts'),
});
