// Chance with a seed that is printed: `YIBU_SEED` repeats a test's choices. What the server draws is its own chance.

/** A number below another. */
export type Dice = (below: number) => number;

/** Dice of a test. */
export function dice(what: string): Dice {
  let state = Number(process.env.YIBU_SEED ?? Date.now() % 2 ** 32) >>> 0;
  console.log(`${what}: YIBU_SEED=${state}`);
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
