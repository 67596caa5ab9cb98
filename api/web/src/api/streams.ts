// Subscriptions as server-sent events, for networks that break web sockets. Browsers open few connections to one host,
// over all windows, and requests need some of them: only the watch that began last, the page's own, has a stream, while
// the page is visible and one of the places for streams is free. Whatever has none looks again and again instead: a
// stream of its own until its first answer, one over all windows at a time.
import type { Watch } from './live.ts';

const PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 15_000;
/** So many streams over all windows. With the look they are four; browsers open six connections. */
const PLACES = 3;
/** How often the page's own watch looks when no place is free. */
const OFTEN_MS = 5_000;
/** How often what stands beside the page looks: the bell, what waits. */
const SELDOM_MS = 20_000;
/** A look without an answer is given up. */
const LOOK_MS = 5_000;

/** Whether requests come through to the server. */
export const passes = async (): Promise<boolean> => (await fetch('/graphql?query=%7B__typename%7D')).ok;

interface Message {
  data?: unknown;
  errors?: { extensions?: { code?: string } }[];
}

/** All that is watched, the page's own watch last. */
const all: Follower[] = [];

/** Leaves the place that this window has; null while it has none. */
let leave: (() => void) | null = null;

/** Gives the place of this window to others. */
function free(): void {
  leave?.();
  leave = null;
}

/** Tries for the place of that name; nothing comes of it when another window has it or nobody here wants it now. */
const take = (name: string) =>
  new Promise<void>((tried) => {
    const hold = (lock: Lock | null) => {
      tried();
      if (!lock || leave || document.hidden || all.length === 0) return;
      return new Promise<void>((release) => {
        leave = release;
      });
    };
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(tried);
  });

/** Whether this window has a place for a stream. Without locks windows cannot agree on places: all of them look. */
async function place(): Promise<boolean> {
  for (let n = 0; navigator.locks && !leave && n < PLACES; n += 1) await take(`yibu.stream.${n}`);
  return leave !== null;
}

/** Looks one after the other over all windows. */
const inTurn = (work: () => Promise<void>): Promise<unknown> =>
  navigator.locks ? navigator.locks.request('yibu.look', work) : work();

/** Keeps one subscription up to date, by a stream or by looks. */
class Follower {
  private events: EventSource | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  /** Counts the plans: what an older one still waits for is void. */
  private plan = 0;
  private answered: () => void = () => {};

  constructor(
    private readonly watch: Pick<Watch, 'query' | 'variables' | 'next'>,
    private readonly tell: (open: boolean) => void,
    private readonly over: () => void,
  ) {}

  /** Ends what is open and begins anew, as it has to be now. */
  begin = (): void => {
    this.end();
    if (document.hidden) free();
    else void this.follow();
  };

  /** Ends what is open. */
  end(): void {
    this.plan += 1;
    clearTimeout(this.timer);
    this.close();
  }

  private close(): void {
    this.events?.close();
    this.events = null;
    this.answered();
  }

  /** Whether this is the page's own watch. */
  private get own(): boolean {
    return all.at(-1) === this;
  }

  /** Tells how the connection is: a look for what stands beside the page is no measure while the page has its stream. */
  private say(open: boolean): void {
    if (this.own) this.tell(open);
  }

  private async follow(): Promise<void> {
    const mine = this.plan;
    const { own } = this;
    const streams = own && (await place());
    if (mine !== this.plan) return;
    if (streams) {
      this.stream();
      return;
    }
    await inTurn(async () => {
      if (mine === this.plan) await this.look();
    });
    if (mine === this.plan) this.timer = setTimeout(this.begin, own ? OFTEN_MS : SELDOM_MS);
  }

  private stream(): void {
    const made = this.connect(this.watch.variables);
    made.onopen = () => {
      this.tries = 0;
      this.say(true);
    };
    made.onerror = () => {
      this.say(false);
      // A stream that only broke comes again by itself; a refused one does not.
      if (made.readyState !== EventSource.CLOSED) return;
      this.end();
      this.timer = setTimeout(this.begin, Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** this.tries));
      this.tries += 1;
    };
  }

  /** Asks for the state of now, whatever the page has: so there is an answer at once. */
  private look(): Promise<void> {
    return new Promise((resolve) => {
      const { after: _, afterPrivate: __, ...variables } = this.watch.variables;
      const made = this.connect(variables);
      const fail = () => {
        this.say(false);
        this.close();
      };
      const late = setTimeout(fail, LOOK_MS);
      this.answered = () => {
        clearTimeout(late);
        this.answered = () => {};
        resolve();
      };
      made.onerror = fail;
      made.addEventListener('next', () => {
        if (made !== this.events) return;
        this.say(true);
        this.close();
      });
    });
  }

  private connect(variables: Record<string, unknown>): EventSource {
    const { query, next } = this.watch;
    const asked = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    const made = new EventSource(`/graphql/stream?${asked}`);
    this.events = made;
    made.addEventListener('next', (event) => {
      const { data, errors } = JSON.parse((event as MessageEvent<string>).data) as Message;
      if (errors?.some((error) => error.extensions?.code === 'SESSION_ENDED')) this.over();
      else if (data) next(data);
    });
    made.addEventListener('complete', () => drop(this));
    return made;
  }
}

/** Follows no longer; the watch that is last then is the page's own. */
function drop(one: Follower): void {
  const at = all.indexOf(one);
  if (at < 0) return;
  all.splice(at, 1);
  one.end();
  document.removeEventListener('visibilitychange', one.begin);
  if (all.length === 0) free();
  else if (at === all.length) all.at(-1)?.begin();
}

/** Follows a subscription. `tell` hears whether the page's own comes through, `over` that the session has ended. */
export function open(
  watch: Pick<Watch, 'query' | 'variables' | 'next'>,
  tell: (open: boolean) => void,
  over: () => void,
): () => void {
  const one = new Follower(watch, tell, over);
  const former = all.at(-1);
  all.push(one);
  former?.begin();
  document.addEventListener('visibilitychange', one.begin);
  one.begin();
  return () => drop(one);
}
