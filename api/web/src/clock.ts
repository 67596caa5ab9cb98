// The server's time as this device can know it, and a signal that ticks each second while a page is visible.
import { signal } from '@preact/signals';

let ahead = 0;
const started = Date.now();

/** The server's time now, in milliseconds. */
export const tick = signal(started);

/** Takes the `now` of a snapshot that has just arrived. */
export function setServerTime(now: string): void {
  ahead = Date.parse(now) - Date.now();
  tick.value = Date.now() + ahead;
}

setInterval(() => {
  if (!document.hidden) tick.value = Date.now() + ahead;
}, 1_000);
document.addEventListener('visibilitychange', () => {
  tick.value = Date.now() + ahead;
});

/** Milliseconds until an instant, not below 0. Reading it in a component makes it count down. */
export const left = (deadline: string): number => Math.max(0, Date.parse(deadline) - tick.value);
