// Small things kept in this browser. A browser that keeps nothing is no error.

/** Reads a kept value. */
export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`yibu.${key}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Keeps a value. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(`yibu.${key}`, JSON.stringify(value));
  } catch {
    // Private windows and full disks: it lasts as long as the page.
  }
}
