// What a person sets on this device. Kept in the browser alone, the same in all of its tabs.
import { effect, signal } from '@preact/signals';
import { hear, tell } from './tabs.ts';

/** A language of the client. */
export type Language = 'zh-Hans' | 'zh-Hant' | 'en';
/** Colours: as the system says, or fixed. */
export type Theme = 'system' | 'light' | 'dark';

interface Settings {
  language: Language;
  theme: Theme;
  confirmMoves: boolean;
  textBoard: boolean;
  sound: boolean;
  /** Whether the browser shows notices, where it is allowed to. */
  notify: boolean;
}

const KEY = 'yibu.settings';

function preferred(): Language {
  for (const tag of navigator.languages ?? []) {
    if (/^zh-(hant|tw|hk|mo)/i.test(tag)) return 'zh-Hant';
    if (/^zh/i.test(tag)) return 'zh-Hans';
    if (/^en/i.test(tag)) return 'en';
  }
  return 'zh-Hans';
}

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
  } catch {
    return {};
  }
}

/** The settings of now. */
export const settings = signal<Settings>({
  language: preferred(),
  theme: 'system',
  confirmMoves: true,
  textBoard: false,
  sound: false,
  notify: true,
  ...stored(),
});

/** Changes some of them, in every tab. */
export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
  tell('settings', part);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.value));
  } catch {
    // A browser that keeps nothing: the choice holds until the page closes.
  }
}

hear('settings', (part) => {
  settings.value = { ...settings.value, ...part };
});

effect(() => {
  const { theme } = settings.value;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
});
