// The group of words of the account, its settings, reminders and sessions.
import { group } from './index.ts';
import type { AccountWords } from './zh-Hans.account.ts';

/** `words` of settings of the account, and `speak`, which loads them. */
export const account = group<AccountWords>({
  'zh-Hans': () => import('./zh-Hans.account.ts'),
  'zh-Hant': () => import('./zh-Hant.account.ts'),
  en: () => import('./en.account.ts'),
});
