// The group of words of formation files.
import { group } from './index.ts';
import type { FormationWords } from './zh-Hans.formation.ts';

/** `words` of formation files, and `speak`, which loads them. */
export const formation = group<FormationWords>({
  'zh-Hans': () => import('./zh-Hans.formation.ts'),
  'zh-Hant': () => import('./zh-Hant.formation.ts'),
  en: () => import('./en.formation.ts'),
});
