// Server-sent events, read from the answer itself. `EventSource` keeps the server's comments to itself, and so cannot
// tell a quiet stream from one that something on the way forgot without a word.

/** What a reader hears of its stream. */
export interface Hearing {
  /** The server answers with events. */
  opened: () => void;
  /** An event came. */
  heard: (kind: string, data: string) => void;
  /** Nothing more comes: refused, broken, at its end, or silent for too long. */
  ended: () => void;
}

/** The server says something at least every 15 seconds, an event or a comment; so long without is a lost stream. */
const SILENT_MS = 25_000;

/** Reads the events of an address until the returned function is called, or `ended` is. */
export function readEvents(address: string, { opened, heard, ended }: Hearing): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const end = () => {
    if (signal.aborted) return;
    ending.abort();
    ended();
  };
  let silent: ReturnType<typeof setTimeout>;
  const listen = () => {
    clearTimeout(silent);
    silent = setTimeout(end, SILENT_MS);
  };
  const read = async () => {
    const headers = { accept: 'text/event-stream' };
    const answer = await fetch(address, { headers, cache: 'no-store', signal });
    if (!answer.ok || !answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream'))
      return;
    opened();
    const chunks = answer.body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { value, done } = await chunks.read();
      if (done || signal.aborted) return;
      listen();
      const events = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(event)?.[1];
        const data = field('data');
        if (data !== undefined && !signal.aborted) heard(field('event') ?? 'message', data);
      }
    }
  };
  listen();
  read()
    .catch(() => {})
    .finally(() => {
      clearTimeout(silent);
      end();
    });
  return () => {
    clearTimeout(silent);
    ending.abort();
  };
}
