// What a page must be in every window: nothing wider than it, no two controls over each other, and every control found
// by scrolling alone, under nothing.
import { expect, type Page } from '@playwright/test';

/** Phones upright and on their side, a desktop zoomed to 200 %, a tablet, and desktops; the third number is the size of
 * the text in per cent of the usual one. */
export const WINDOWS: readonly (readonly [number, number, number?])[] = [
  [320, 568],
  [360, 640],
  [390, 844],
  [320, 568, 150],
  [390, 844, 200],
  [844, 390],
  [640, 450],
  [768, 1024],
  [1280, 900],
  [1920, 1080],
];

/** Shows a page in a window, with text of a size. */
export async function resize(page: Page, [width, height, text = 100]: (typeof WINDOWS)[number]): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size === 100 ? '' : `${size}%`;
  }, text);
  // Boards measure their room after the window changed.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Asserts it of the page that is shown, in every window. */
export async function expectFitting(page: Page, what: string): Promise<void> {
  const before = page.viewportSize();
  for (const window of WINDOWS) {
    await resize(page, window);
    expect(await page.evaluate(faults), `${what}, ${window.join(' × ')}`).toEqual([]);
  }
  if (before) await resize(page, [before.width, before.height]);
}

/** Everything that is wrong with the page in its window, in words. Runs in the page. */
function faults(): string[] {
  const found: string[] = [];
  const root = document.documentElement;
  const name = (element: Element | null) =>
    element?.outerHTML.replace(/\s+/g, ' ').slice(0, 110) ?? 'nothing';
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 0.5,
    );
    found.push(`${root.scrollWidth} wide`, ...wide.slice(-3).map(name));
  }
  const controls = [...document.querySelectorAll<HTMLElement>('button, a, summary, input, select')].filter(
    (element) =>
      element.checkVisibility() && !element.closest('.skip, .toasts, p') && element.offsetWidth > 0,
  );
  /** What stays while the rest scrolls under it. */
  const layer = (element: Element) => element.closest('header, .bars');
  /** The part of a control that its scrolling list shows. */
  const shown = (element: Element): DOMRect => {
    const box = element.getBoundingClientRect();
    const list = element.closest('.log ol')?.getBoundingClientRect();
    if (!list) return box;
    const [top, bottom] = [box.top, box.bottom].map((y) => Math.min(Math.max(y, list.top), list.bottom));
    return new DOMRect(box.x, top, box.width, (bottom ?? 0) - (top ?? 0));
  };
  const apart = (a: DOMRect, b: DOMRect) =>
    a.right - b.left < 1 || b.right - a.left < 1 || a.bottom - b.top < 1 || b.bottom - a.top < 1;
  controls.forEach((one, i) => {
    for (const other of controls.slice(i + 1)) {
      if (layer(one) !== layer(other) || one.contains(other)) continue;
      if (!apart(shown(one), shown(other))) found.push(`${name(one)} lies over ${name(other)}`);
    }
  });
  for (const one of controls) {
    one.scrollIntoView({ block: 'nearest' });
    const { x, y, width, height } = one.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    if (!hit || !one.contains(hit)) found.push(`${name(one)} is under ${name(hit)}`);
  }
  const places = [...document.querySelectorAll('.nodes rect')].map((rect) => rect.getBoundingClientRect());
  const plate = document.querySelector('.plate')?.getBoundingClientRect();
  for (const card of document.querySelectorAll('.plate .seat')) {
    const box = card.getBoundingClientRect();
    if (plate && (box.top < plate.top || box.bottom > plate.bottom || box.right > plate.right))
      found.push(`${name(card)} leaves the board`);
    if (card.scrollWidth > card.clientWidth) found.push(`${name(card)} is too narrow for its words`);
    if (!places.every((place) => apart(box, place))) found.push(`${name(card)} lies over a position`);
  }
  for (const one of document.querySelectorAll<HTMLElement>('.bars :is(button, a, summary, input, select)')) {
    scrollTo(0, 0);
    if (one.checkVisibility()) one.focus();
    if (scrollY > 0) found.push(`${name(one)} takes the page away when it gets the focus`);
    one.blur();
  }
  scrollTo(0, 0);
  return found;
}

/** Asserts that the whole board, its zoom and the bar stand in a window of phones without scrolling. */
export async function expectAtOnce(page: Page, what: string): Promise<void> {
  const before = page.viewportSize();
  for (const [width, height] of WINDOWS.slice(0, 3)) {
    await page.setViewportSize({ width, height });
    const room = async () => {
      const [zoom, bars] = await Promise.all(
        ['.zoom', '.bars'].map((css) => page.locator(css).boundingBox()),
      );
      return zoom && bars ? bars.y - (zoom.y + zoom.height) : Number.NaN;
    };
    await expect.poll(room, `${what}, ${width} × ${height}`).toBeGreaterThan(-1);
  }
  if (before) await page.setViewportSize(before);
}
