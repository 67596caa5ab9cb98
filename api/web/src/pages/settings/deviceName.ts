// What a device is called in a list of sessions: its browser and system, read from what the browser says that it is.

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR/, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrom|CriOS/, 'Chrome'],
  [/Version\/.*Safari/, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Browser and system as far as they are known; else what the browser says, unchanged. */
export function deviceName(told: string): string {
  const first = (names: readonly [RegExp, string][]) => names.find(([mark]) => mark.test(told))?.[1];
  const known = [first(BROWSERS), first(SYSTEMS)].filter(Boolean);
  return known.length > 0 ? known.join(' · ') : told;
}
