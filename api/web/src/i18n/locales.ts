// The languages of mails by the languages of pages.
import type { Locale } from '../api/generated.ts';
import type { Language } from '../settings.ts';

/** The language of mails for a language of pages. */
export const LOCALES: Record<Language, Locale> = { 'zh-Hans': 'ZH_HANS', 'zh-Hant': 'ZH_HANT', en: 'EN' };
