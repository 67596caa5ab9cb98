// @vitest-environment node
// The languages say the same things: same keys, no empty sentences, manuals with the same sections and blocks.
import { describe, expect, it } from 'vitest';
import enAccount from '../src/i18n/en.account.ts';
import enAdmin from '../src/i18n/en.admin.ts';
import enAside from '../src/i18n/en.aside.ts';
import enDeploy from '../src/i18n/en.deploy.ts';
import enErrors from '../src/i18n/en.errors.ts';
import enFormation from '../src/i18n/en.formation.ts';
import enPages from '../src/i18n/en.pages.ts';
import enPeople from '../src/i18n/en.people.ts';
import en from '../src/i18n/en.ts';
import hansAccount from '../src/i18n/zh-Hans.account.ts';
import hansAdmin from '../src/i18n/zh-Hans.admin.ts';
import hansAside from '../src/i18n/zh-Hans.aside.ts';
import hansDeploy from '../src/i18n/zh-Hans.deploy.ts';
import hansErrors from '../src/i18n/zh-Hans.errors.ts';
import hansFormation from '../src/i18n/zh-Hans.formation.ts';
import hansPages from '../src/i18n/zh-Hans.pages.ts';
import hansPeople from '../src/i18n/zh-Hans.people.ts';
import hans from '../src/i18n/zh-Hans.ts';
import hantAccount from '../src/i18n/zh-Hant.account.ts';
import hantAdmin from '../src/i18n/zh-Hant.admin.ts';
import hantAside from '../src/i18n/zh-Hant.aside.ts';
import hantDeploy from '../src/i18n/zh-Hant.deploy.ts';
import hantErrors from '../src/i18n/zh-Hant.errors.ts';
import hantFormation from '../src/i18n/zh-Hant.formation.ts';
import hantPages from '../src/i18n/zh-Hant.pages.ts';
import hantPeople from '../src/i18n/zh-Hant.people.ts';
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
      [hansAccount, hantAccount],
      [hansAccount, enAccount],
      [hansAdmin, hantAdmin],
      [hansAdmin, enAdmin],
      [hansAside, hantAside],
      [hansAside, enAside],
      [hansDeploy, hantDeploy],
      [hansDeploy, enDeploy],
      [hansFormation, hantFormation],
      [hansFormation, enFormation],
      [hansPeople, hantPeople],
      [hansPeople, enPeople],
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

  it('explain every sign of a tile that is no part of a name', () => {
    const text = JSON.stringify(enManual);
    const { names, long, short } = en.pieces;
    for (const [piece, name] of Object.entries(names))
      expect(text).toContain(`${name} ${long[piece as 'FLAG']} or ${short[piece as 'FLAG']}`);
  });

  it('say of a wrong file what was expected, and of a damaged one what to do', () => {
    for (const { replay } of [hansPages, hantPages, enPages]) {
      const { fault } = replay;
      for (const wrong of ['TOO_LARGE', 'NOT_UTF8', 'NOT_JSON', 'TOO_DEEP', 'NOT_A_REPLAY'] as const)
        expect(fault[wrong]('x')).toContain('.yibu-replay.json');
      const whatNow = fault.TWICE('x').slice(-20);
      for (const hurt of ['FIELD', 'EXTRA', 'POSITION', 'PIECE', 'TOO_MANY', 'COUNT'] as const)
        expect(fault[hurt]('x').endsWith(whatNow)).toBe(true);
    }
    for (const formation of [hansFormation, hantFormation, enFormation])
      expect(formation.unreadable).toContain('.yibu-formation.json');
  });
});
