// Lists that are read page by page.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLoad } from '../../ui/load.ts';
import { sayFault } from '../../ui/toasts.tsx';

/** A page of a list, as connections of the API have it. */
export interface Page<N> {
  edges: readonly { node: N }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** A list as far as it has been read. */
export interface Paged<N> {
  /** Null before the first page came. */
  rows: Signal<readonly N[] | null>;
  /** Whether there is more. */
  more: Signal<boolean>;
  /** Reads the next page. */
  next: () => Promise<void>;
}

/** Reads the first page at once, and again when `key` changes; a page that was not reached, when the network is back. */
export function usePaged<N>(key: string, read: (after: string | null) => Promise<Page<N> | null>): Paged<N> {
  const rows = useSignal<readonly N[] | null>(null);
  const more = useSignal(false);
  const cursor = useSignal<string | null>(null);
  const current = useSignal(key);
  /** After what the page lies that could not be read; undefined when there is none. */
  const lost = useSignal<string | null | undefined>(undefined);
  const load = async (after: string | null) => {
    try {
      const page = await read(after);
      // A page of a list that is not shown any more is late.
      if (current.peek() !== key) return;
      lost.value = undefined;
      const nodes = page?.edges.map(({ node }) => node) ?? [];
      rows.value = after === null ? nodes : [...(rows.value ?? []), ...nodes];
      cursor.value = page?.pageInfo.endCursor ?? null;
      more.value = page?.pageInfo.hasNextPage ?? false;
    } catch (fault) {
      if (current.peek() === key) lost.value = after;
      sayFault(fault);
    }
  };
  useEffect(() => {
    current.value = key;
    lost.value = undefined;
    rows.value = null;
    more.value = false;
  }, [key]);
  useLoad(
    () => load(lost.peek() ?? null),
    () => lost.peek() !== undefined,
    [key],
  );
  return { rows, more, next: () => load(cursor.value) };
}
