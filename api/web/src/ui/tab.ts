// Small things kept in this tab until it is closed: a reload finds them. A browser that keeps nothing is no error.

/** Reads what the tab keeps. */
export function recallHere(key: string): string | null {
  try {
    return sessionStorage.getItem(`yibu.${key}`);
  } catch {
    return null;
  }
}

/** Under what the address of an account is kept on the way from one page of the entry to another. */
export const ADDRESS = 'address';

/** Keeps something in the tab; null forgets it. */
export function keepHere(key: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(`yibu.${key}`);
    else sessionStorage.setItem(`yibu.${key}`, value);
  } catch {
    // It lasts as long as the page.
  }
}
