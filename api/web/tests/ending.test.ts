// How a match ended, from the view of whoever reads it: a side's own, or nobody's.
import { beforeAll, expect, it } from 'vitest';
import { plain, signed, speak } from '../src/i18n/index.ts';
import { named, outcomeInWords } from '../src/pages/replay/tell.ts';
import { endInWords } from '../src/pages/table/ending.ts';
import type { FileOutcome } from '../src/replay/format.ts';
import { change } from '../src/settings.ts';

const none = { winner: null, winBy: null, drawBy: null, noResultBy: null };
const won = (winBy: 'BOARD' | 'BOTH_STUCK' | 'SIDE_GONE' | 'TEAM_SURRENDER') =>
  ({ ...none, kind: 'WIN', winner: 'RED', winBy }) as const;

beforeAll(async () => {
  change({ language: 'zh-Hans' });
  await speak();
});

it('says who won and which side it was that lost', () => {
  const surrendered = won('TEAM_SURRENDER');
  expect(endInWords(surrendered, 'RED')).toBe('你赢了，对方（蓝方）团队投降');
  expect(endInWords(surrendered, 'BLUE')).toBe('你输了，你方（蓝方）团队投降');
  expect(endInWords(surrendered)).toBe('赤方获胜，蓝方团队投降');
  expect(endInWords(won('BOARD'), 'BLUE')).toBe('你输了，你方（蓝方）两席均被淘汰');
  expect(endInWords(won('BOARD'), 'RED')).toBe('你赢了，对方（蓝方）两席均被淘汰');
  expect(endInWords(won('SIDE_GONE'), 'RED')).toBe('你赢了，对方（蓝方）两席都已离开');
  expect(endInWords(won('SIDE_GONE'))).toBe('赤方获胜，蓝方两席都已离开');
  expect(endInWords(won('BOTH_STUCK'), 'BLUE')).toBe('你输了，都无棋可走');
});

it('says the same to everybody where nobody won', () => {
  for (const side of ['RED', 'BLUE', null] as const) {
    expect(endInWords({ ...none, kind: 'DRAW', drawBy: 'AGREED' }, side)).toBe('和棋，全体同意');
    expect(endInWords({ ...none, kind: 'NO_RESULT', noResultBy: 'WAIT_EXPIRED' }, side)).toBe(
      '无胜负，空席 8 小时无人接手',
    );
    expect(endInWords({ ...none, kind: 'NO_RESULT', noResultBy: 'VOIDED' }, side)).toBe(
      '无胜负，管理员终止了本局',
    );
  }
});

it('says it of files from nobody’s view, as far as they tell', () => {
  const told = (kind: string, side: FileOutcome['side'], by: string | null) =>
    outcomeInWords({ kind, side, by });
  expect(told('win', 'BLUE', 'team_surrender')).toBe('蓝方获胜，赤方团队投降');
  expect(told('win', 'BLUE', null)).toBe('蓝方获胜');
  expect(told('draw', null, 'agreed')).toBe('和棋，全体同意');
  expect(told('no_result', null, 'somehow')).toBe('无胜负');
});

it('names places and seats of files as the pages do', () => {
  expect(named('s62 → c22')).toBe('南6排2列 → 中宫');
  expect(named('W')).toBe('西');
  expect(named('ended')).toBe('ended');
});

it('writes points with a minus, not a hyphen', () => {
  expect([-12, 0, 7].map(plain)).toEqual(['−12', '0', '7']);
  expect([-12, 0, 7].map(signed)).toEqual(['−12', '±0', '+7']);
});
