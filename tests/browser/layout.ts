// Whether a page has room on its screen: nothing sticks out sideways, and nothing that can be hit lies on another.
import { expect, type Page } from '@playwright/test';

/** Asserts that the page cannot be scrolled sideways. The layout's width counts: phones widen `innerWidth` with it. */
export async function expectNoSideways(page: Page, what: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const names = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 90));
    return [`${scrollWidth} of ${clientWidth}`, ...names.slice(0, 5)];
  });
  expect.soft(wide, what).toEqual([]);
}

/** Asserts that whoever walks through a page of one column by keyboard goes down it, never up. */
export async function expectDownwards(page: Page, what: string): Promise<void> {
  const upwards = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('main a, main button')].map((element) => ({
      box: element.getBoundingClientRect(),
      html: element.outerHTML.slice(0, 80),
    }));
    return boxes.flatMap((one, i) => {
      const before = boxes[i - 1];
      return before && one.box.bottom < before.box.top ? [`${one.html} after ${before.html}`] : [];
    });
  });
  expect.soft(upwards, what).toEqual([]);
}

/** Asserts that no two buttons, links or fields that are shown lie on each other. */
export async function expectApart(page: Page, what: string): Promise<void> {
  const overlaps = await page.evaluate(() => {
    scrollTo(0, 0);
    const SLACK = 1;
    const boxes = [...document.querySelectorAll<HTMLElement>('button, a, input, select, textarea, summary')]
      .filter(
        (element) => element.checkVisibility({ opacityProperty: true }) && !element.closest('.unseen, .skip'),
      )
      .flatMap((element) => [...element.getClientRects()].map((box) => ({ element, box })));
    const found: string[] = [];
    for (const [i, one] of boxes.entries())
      for (const other of boxes.slice(i + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (width > SLACK && height > SLACK)
          found.push(`${one.element.outerHTML.slice(0, 80)} and ${other.element.outerHTML.slice(0, 80)}`);
      }
    return found;
  });
  expect.soft(overlaps, what).toEqual([]);
}
