// axe over the page that is shown, and the sizes of what can be hit.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/** Asserts that axe finds nothing. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(source);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations: all } = await axe.run({ resultTypes: ['violations'] });
    return all.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
  });
  expect(violations, what).toEqual([]);
}

/** Asserts that everything that can be hit, the board's positions excepted, is at least 24 pixels in both directions. */
export async function expectHittable(page: Page, what: string): Promise<void> {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, input, select, summary')]
      .filter(
        (element) => element.getClientRects().length > 0 && !element.closest('.unseen, .skip, p, li > a'),
      )
      .map((element) => ({
        box: element.getBoundingClientRect(),
        html: element.outerHTML.slice(0, 90),
        element,
      }))
      .filter(
        ({ box, element }) =>
          !(element instanceof HTMLInputElement && getComputedStyle(element).opacity === '0') &&
          (box.width < 24 || box.height < 24),
      )
      .map(({ box, html }) => `${Math.round(box.width)}×${Math.round(box.height)} ${html}`),
  );
  expect(small, what).toEqual([]);
}
