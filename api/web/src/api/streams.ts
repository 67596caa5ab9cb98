// Subscriptions as server-sent events, for networks that break web sockets: one stream each, while the page is visible,
// since browsers open few connections to one host. A stream that comes back begins with the state of then.
import type { Watch } from './live.ts';

const PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 15_000;

/** Whether requests come through to the server. */
export const passes = async (): Promise<boolean> => (await fetch('/graphql?query=%7B__typename%7D')).ok;

interface Message {
  data?: unknown;
  errors?: { extensions?: { code?: string } }[];
}

/** Opens a stream. `tell` hears whether it is open, `over` that the session has ended. */
export function open(
  { query, variables, next }: Pick<Watch, 'query' | 'variables' | 'next'>,
  tell: (open: boolean) => void,
  over: () => void,
): () => void {
  const address = `/graphql/stream?${new URLSearchParams({ query, variables: JSON.stringify(variables) })}`;
  let events: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  const close = () => {
    clearTimeout(timer);
    events?.close();
    events = null;
  };
  const connect = () => {
    if (events || document.hidden) return;
    const made = new EventSource(address);
    events = made;
    made.onopen = () => {
      tries = 0;
      tell(true);
    };
    made.onerror = () => {
      tell(false);
      // A stream that only broke comes again by itself; a refused one does not.
      if (made.readyState !== EventSource.CLOSED) return;
      close();
      timer = setTimeout(connect, Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** tries));
      tries += 1;
    };
    made.addEventListener('next', (event) => {
      const { data, errors } = JSON.parse((event as MessageEvent<string>).data) as Message;
      if (errors?.some((error) => error.extensions?.code === 'SESSION_ENDED')) over();
      else if (data) next(data);
    });
    made.addEventListener('complete', stop);
  };
  const look = () => (document.hidden ? close() : connect());
  const stop = () => {
    close();
    document.removeEventListener('visibilitychange', look);
  };
  document.addEventListener('visibilitychange', look);
  connect();
  return stop;
}
