// Characters as people count them.

/** The first characters of a text. */
export function beginning(text: string, most: number): string {
  const parts = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text);
  return Array.from(parts, ({ segment }) => segment)
    .slice(0, most)
    .join('');
}
