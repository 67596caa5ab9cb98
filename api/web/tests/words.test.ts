// @vitest-environment node
// The languages say the same things: same keys, no empty sentences, manuals with the same sections and blocks.
import { describe, expect, it } from 'vitest';
import enErrors from '../src/i18n/en.errors.ts';
import enPages from '../src/i18n/en.pages.ts';
import en from '../src/i18n/en.ts';
import hansErrors from '../src/i18n/zh-Hans.errors.ts';
import hansPages from '../src/i18n/zh-Hans.pages.ts';
import hans from '../src/i18n/zh-Hans.ts';
import hantErrors from '../src/i18n/zh-Hant.errors.ts';
import hantPages from '../src/i18n/zh-Hant.pages.ts';
import hant from '../src/i18n/zh-Hant.ts';
import enManual from '../src/manual/en.ts';
import hansManual from '../src/manual/zh-Hans.ts';
import hantManual from '../src/manual/zh-Hant.ts';

function keys(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, inner]) => keys(inner, `${at}.${key}`));
}
const shape = (manual: typeof hansManual) =>
  manual.map(({ id, body }) => [
    id,
    ...body.map((block) => (typeof block === 'string' ? 'text' : keys(block).length)),
  ]);

describe('languages', () => {
  it('have the same words', () => {
    for (const [a, b] of [
      [hans, hant],
      [hans, en],
      [hansErrors, hantErrors],
      [hansErrors, enErrors],
      [hansPages, hantPages],
      [hansPages, enPages],
    ]) {
      expect(keys(b).sort()).toEqual(keys(a).sort());
    }
  });

  it('have manuals of the same shape', () => {
    expect(shape(hantManual)).toEqual(shape(hansManual));
    expect(shape(enManual)).toEqual(shape(hansManual));
  });

  it('keep the numbers of the rules in every manual', () => {
    for (const manual of [hansManual, hantManual, enManual]) {
      const text = JSON.stringify(manual);
      for (const number of ['16', '8', '25', '48', '20', '365', '9', '15', '1440', '22:00', '08:00', '10']) {
        expect(text).toContain(number);
      }
    }
  });
});
