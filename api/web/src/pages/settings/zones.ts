// The time zones to choose from: this device's first, then all that the browser knows.

/** The zones, with the chosen one in any case. */
export function zones(chosen: string): readonly string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const known = Intl.supportedValuesOf?.('timeZone') ?? ['Asia/Shanghai', 'UTC'];
  return [...new Set([chosen, here, ...known])].filter(Boolean);
}
