// The words of the interface: one language loaded at a time, plain typed functions, `Intl` for numbers and dates. Words
// come in groups; a group is loaded with what shows it first.
import { batch, signal } from '@preact/signals';
import { type Language, settings } from '../settings.ts';
import type { ErrorWords } from './zh-Hans.errors.ts';
import type { PageWords } from './zh-Hans.pages.ts';
import type { Messages } from './zh-Hans.ts';

type Load<T> = Record<Language, () => Promise<{ default: T }>>;
type Read = (tag: Language) => Promise<() => void>;

/** Words that are loaded together. */
interface Group<T> {
  /** The words of now. A component that calls this renders again when the language changes. */
  words: () => T;
  /** Loads them, once. */
  speak: () => Promise<void>;
}

const inUse = new Set<Read>();

/** Declares a group by its three files. */
export function group<T>(load: Load<T>): Group<T> {
  const now = signal<T | null>(null);
  const read: Read = async (tag) => {
    const loaded = (await load[tag]()).default;
    return () => {
      now.value = loaded;
    };
  };
  return {
    words: () => {
      if (!now.value) throw new Error('words were read before they were loaded');
      return now.value;
    },
    speak: async () => {
      inUse.add(read);
      while (!now.peek()) {
        const tag = settings.peek().language;
        const put = await read(tag);
        // Somebody may have chosen another language meanwhile.
        if (tag === settings.peek().language) put();
      }
    },
  };
}

const core = group<Messages>({
  'zh-Hans': () => import('./zh-Hans.ts'),
  'zh-Hant': () => import('./zh-Hant.ts'),
  en: () => import('./en.ts'),
});
const pages = group<PageWords>({
  'zh-Hans': () => import('./zh-Hans.pages.ts'),
  'zh-Hant': () => import('./zh-Hant.pages.ts'),
  en: () => import('./en.pages.ts'),
});
const LOAD_ERRORS: Load<ErrorWords> = {
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

/** The language of the words that are shown. */
export const language = signal<Language>('zh-Hans');

/** The words that every page shows. */
export const words = core.words;
/** The words of the pages beside the table; `speakPages` has to have been waited for. */
export const pageWords = pages.words;
/** Loads the words of the pages beside the table. */
export const speakPages = pages.speak;

/** The sentences for error codes; read when something goes wrong. */
export const errorWords = async (): Promise<ErrorWords> => (await LOAD_ERRORS[language.value]()).default;

/** Loads the language of the settings and shows it. */
export async function speak(): Promise<void> {
  const wanted = settings.value.language;
  await core.speak();
  const puts = await Promise.all([...inUse].map((read) => read(wanted)));
  if (settings.value.language !== wanted) return;
  batch(() => {
    for (const put of puts) put();
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

/** A number with a minus that is no hyphen. */
export const plain = (n: number): string => (n < 0 ? `−${-n}` : `${n}`);

/** Points with their sign. */
export const signed = (points: number): string =>
  points > 0 ? `+${points}` : points < 0 ? plain(points) : '±0';
