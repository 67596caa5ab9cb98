// The words of the interface: one language loaded at a time, plain typed functions, `Intl` for numbers and dates.
import { batch, signal } from '@preact/signals';
import { type Language, settings } from '../settings.ts';
import type { ErrorWords } from './zh-Hans.errors.ts';
import type { PageWords } from './zh-Hans.pages.ts';
import type { Messages } from './zh-Hans.ts';

const LOAD: Record<Language, () => Promise<{ default: Messages }>> = {
  'zh-Hans': () => import('./zh-Hans.ts'),
  'zh-Hant': () => import('./zh-Hant.ts'),
  en: () => import('./en.ts'),
};

const LOAD_PAGES: Record<Language, () => Promise<{ default: PageWords }>> = {
  'zh-Hans': () => import('./zh-Hans.pages.ts'),
  'zh-Hant': () => import('./zh-Hant.pages.ts'),
  en: () => import('./en.pages.ts'),
};

const LOAD_ERRORS: Record<Language, () => Promise<{ default: ErrorWords }>> = {
  'zh-Hans': () => import('./zh-Hans.errors.ts'),
  'zh-Hant': () => import('./zh-Hant.errors.ts'),
  en: () => import('./en.errors.ts'),
};

/** The languages with their own names. */
export const LANGUAGES: readonly [Language, string][] = [
  ['zh-Hans', '简体中文'],
  ['zh-Hant', '繁體中文'],
  ['en', 'English'],
];

const current = signal<Messages | null>(null);
const pages = signal<PageWords | null>(null);

/** The language of the words that are shown. */
export const language = signal<Language>('zh-Hans');

/** The words of now. A component that calls this renders again when the language changes. */
export function words(): Messages {
  if (!current.value) throw new Error('words were read before a language was loaded');
  return current.value;
}

/** The words of the pages beside the table; `speakPages` has to have been waited for. */
export function pageWords(): PageWords {
  if (!pages.value) throw new Error('words of pages were read before they were loaded');
  return pages.value;
}

/** Loads the words of the pages beside the table. */
export async function speakPages(): Promise<void> {
  if (!pages.value) pages.value = (await LOAD_PAGES[settings.value.language]()).default;
}

/** The sentences for error codes; read when something goes wrong. */
export const errorWords = async (): Promise<ErrorWords> => (await LOAD_ERRORS[language.value]()).default;

/** Loads the language of the settings and shows it. */
export async function speak(): Promise<void> {
  const wanted = settings.value.language;
  const more = pages.peek() !== null;
  const [loaded, loadedPages] = await Promise.all([LOAD[wanted](), more ? LOAD_PAGES[wanted]() : null]);
  if (settings.value.language !== wanted) return;
  batch(() => {
    current.value = loaded.default;
    if (loadedPages) pages.value = loadedPages.default;
    language.value = wanted;
  });
  document.documentElement.lang = wanted;
}

/** A day and time in the local zone. */
export function moment(instant: string): string {
  const sameDay = new Date(instant).toDateString() === new Date().toDateString();
  return new Intl.DateTimeFormat(language.value, {
    ...(sameDay ? {} : { month: 'numeric', day: 'numeric', weekday: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(instant));
}

/** The whole date, for records. */
export function fullMoment(instant: string): string {
  return new Intl.DateTimeFormat(language.value, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  );
}

/** A span of time as a running clock: `15:42:10`. */
export function countdown(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Points with their sign. */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? `−${-points}` : '±0';
