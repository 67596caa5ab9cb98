// The group of words that a table shows at times only.
import { group } from './index.ts';
import type { AsideWords } from './zh-Hans.aside.ts';

/** `words` of what a table shows at times only, and `speak`, which loads them. */
export const aside = group<AsideWords>({
  'zh-Hans': () => import('./zh-Hans.aside.ts'),
  'zh-Hant': () => import('./zh-Hant.aside.ts'),
  en: () => import('./en.aside.ts'),
});
