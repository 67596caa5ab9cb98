// Which lines of a list are shown: a window round the one that is current, so that long files stay light.

/** The most lines that are shown at once. */
export const WINDOW = 100;

/** The first line of a window of a list that keeps `place` in its middle. */
export const around = (place: number, length: number): number => within(place - WINDOW / 2, length);

/** A first line that leaves the window full, where the list is long enough. */
export const within = (first: number, length: number): number =>
  Math.max(0, Math.min(first, length - WINDOW));

/** The place of the last of rising numbers that is not above `at`. */
export function placeOf(numbers: readonly number[], at: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
