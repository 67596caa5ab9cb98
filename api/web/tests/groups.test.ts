// Words of groups: loaded once, in the language of now, also when that changes while they are loading.
import { expect, it } from 'vitest';
import { account } from '../src/i18n/account.ts';
import { speak, words } from '../src/i18n/index.ts';
import { people } from '../src/i18n/people.ts';
import { change } from '../src/settings.ts';

it('follow the language', async () => {
  change({ language: 'zh-Hans' });
  await speak();
  expect(() => people.words()).toThrow();
  await people.speak();
  expect(people.words().leaderboard).toBe('排行榜');
  change({ language: 'en' });
  await speak();
  expect(words().nav.lobby).toBe('Lobby');
  expect(people.words().leaderboard).toBe('Leaderboard');
});

it('are those of the language that was chosen last', async () => {
  change({ language: 'zh-Hant' });
  const loading = account.speak();
  change({ language: 'en' });
  await Promise.all([loading, speak()]);
  expect(account.words().heading).toBe('Account');
  expect(document.documentElement.lang).toBe('en');
});
