// Subscriptions as server-sent events, for networks that break web sockets. Browsers open few connections to one host,
// over all windows, and requests need some of them: only the watch that began last, the page's own, has a stream, while
// the page is visible and one of the places for streams is free. Whatever has none looks again and again instead: a
// stream of its own until its first answer, one over all windows at a time. What one window hears, it tells the others.
import { hear, tell } from '../tabs.ts';
import { type Hearing, readEvents } from './events.ts';
import type { Watch } from './live.ts';

const PAUSE_MS = 3_000;
const MOST_PAUSE_MS = 15_000;
/** So many streams over all windows. With the look they are four; browsers open six connections. */
const PLACES = 3;
/** How often the page's own watch looks when no place is free. */
const OFTEN_MS = 5_000;
/** How often what stands beside the page looks, the bell and what waits, and all that a hidden page shows. */
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
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  /** Counts the plans: what an older one still waits for is void. */
  private plan = 0;
  private streams = false;
  private close: () => void = () => {};
  /** What a look asks for: the state of now, whatever the page has, so that there is an answer at once. */
  private readonly now: Record<string, unknown>;
  /** What is watched, by the same name in all windows. */
  private readonly name: string;

  constructor(
    private readonly watch: Pick<Watch, 'query' | 'variables' | 'next'>,
    private readonly tell: (open: boolean) => void,
    private readonly over: () => void,
  ) {
    const { after: _, afterPrivate: __, ...now } = watch.variables;
    this.now = now;
    this.name = JSON.stringify([watch.query, now]);
  }

  /** Ends what is open and begins anew, as it has to be now. */
  begin = (): void => {
    this.end();
    void this.follow();
  };

  /** The page was shown or hidden. A hidden one gives its place to others, and looks. */
  turn = (): void => {
    if (document.hidden) {
      free();
      this.rest();
    } else this.begin();
  };

  /** Ends what is open. */
  end(): void {
    this.plan += 1;
    clearTimeout(this.timer);
    this.streams = false;
    this.close();
  }

  /** Takes what another window heard: no look is needed for a while. */
  take(name: string, data: unknown): void {
    if (name !== this.name || this.streams) return;
    this.rest();
    this.say(true);
    this.watch.next(data);
  }

  /** Waits for the next look. */
  private rest(): void {
    this.end();
    this.timer = setTimeout(this.begin, this.own && !document.hidden ? OFTEN_MS : SELDOM_MS);
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
    const streams = this.own && !document.hidden && (await place());
    if (mine !== this.plan) return;
    if (streams) {
      this.stream();
      return;
    }
    await inTurn(async () => {
      if (mine === this.plan) await this.look();
    });
    if (mine === this.plan) this.rest();
  }

  private stream(): void {
    this.streams = true;
    this.connect(this.watch.variables, {
      opened: () => {
        this.tries = 0;
        this.say(true);
      },
      heard: () => {},
      ended: () => {
        this.say(false);
        this.end();
        const pause = Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** this.tries);
        this.timer = setTimeout(this.begin, pause / 2 + (Math.random() * pause) / 2);
        this.tries += 1;
      },
    });
  }

  private look(): Promise<void> {
    return new Promise((resolve) => {
      const ended = () => {
        this.say(false);
        this.close();
      };
      const late = setTimeout(ended, LOOK_MS);
      const heard = () => {
        this.say(true);
        this.close();
      };
      const hangUp = this.connect(this.now, { opened: () => {}, heard, ended });
      this.close = () => {
        this.close = () => {};
        clearTimeout(late);
        hangUp();
        resolve();
      };
    });
  }

  /** Hands answers on; `heard` is called after one. */
  private connect(variables: Record<string, unknown>, { opened, heard, ended }: Hearing): () => void {
    const { query, next } = this.watch;
    const asked = new URLSearchParams({ query, variables: JSON.stringify(variables) });
    this.close = readEvents(`/graphql/stream?${asked}`, {
      opened,
      ended,
      heard: (kind, text) => {
        if (kind === 'complete') drop(this);
        if (kind !== 'next') return;
        const { data, errors } = JSON.parse(text) as Message;
        if (errors?.some((error) => error.extensions?.code === 'SESSION_ENDED')) this.over();
        else if (data) {
          next(data);
          tell('heard', { name: this.name, data });
        }
        heard(kind, text);
      },
    });
    return this.close;
  }
}

hear('heard', ({ name, data }) => {
  for (const one of [...all]) one.take(name, data);
});

/** Follows no longer; the watch that is last then is the page's own. */
function drop(one: Follower): void {
  const at = all.indexOf(one);
  if (at < 0) return;
  all.splice(at, 1);
  one.end();
  document.removeEventListener('visibilitychange', one.turn);
  removeEventListener('online', one.begin);
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
  document.addEventListener('visibilitychange', one.turn);
  addEventListener('online', one.begin);
  one.begin();
  return () => drop(one);
}
