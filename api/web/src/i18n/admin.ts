// The group of words of the administrators' page.
import { group } from './index.ts';
import type { AdminWords } from './zh-Hans.admin.ts';

/** `words` of the administrators' page, and `speak`, which loads them. */
export const admin = group<AdminWords>({
  'zh-Hans': () => import('./zh-Hans.admin.ts'),
  'zh-Hant': () => import('./zh-Hant.admin.ts'),
  en: () => import('./en.admin.ts'),
});
