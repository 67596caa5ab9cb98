// Reading what a page shows, and again when the network is back.
import { useEffect } from 'preact/hooks';

/** Reads at once and when `inputs` change; while `missing` says so, again as soon as the browser is online. */
export function useLoad(read: () => unknown, missing: () => boolean, inputs: readonly unknown[]): void {
  useEffect(() => {
    const again = () => missing() && read();
    read();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, inputs as unknown[]);
}
