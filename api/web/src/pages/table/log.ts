// The public actions of a match, read in pages and kept in order. What could not be read is tried again by itself.
import { signal } from '@preact/signals';
import { type ActionFragment, ReadActionsDocument } from '../../api/generated.ts';
import { ask, Fault } from '../../api/http.ts';
import { line } from '../../api/live.ts';

const FIRST_PAGE = 60;
const PAGE = 100;
const PAUSE_MS = 1_000;
const MOST_PAUSE_MS = 30_000;

/** The actions that have been read, oldest first, without holes. */
export class ActionLog {
  readonly actions = signal<readonly ActionFragment[]>([]);
  /** Whether there are older ones. */
  readonly more = signal(false);
  /** Whether the newest are there; `unread` while they could not be read, until another attempt reads them. */
  readonly state = signal<'reading' | 'read' | 'unread'>('reading');

  private start: string | null = null;
  private end: string | null = null;
  private seen = 0;
  private wanted = 0;
  private queue: Promise<void> = Promise.resolve();
  private timer = 0;
  private tries = 0;
  private closed = false;
  private readonly unhear: () => void;

  constructor(private readonly id: string) {
    addEventListener('online', this.again);
    this.unhear = line.subscribe((now) => {
      if (now === 'open') this.again();
    });
  }

  /** Ends trying again. */
  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener('online', this.again);
    this.unhear();
  }

  /** Reads what came up to a version. */
  follow(version: number): Promise<void> {
    this.wanted = Math.max(this.wanted, version);
    return this.retry();
  }

  /** Reads all there are; throws a `Fault` when some could not be read. */
  all(): Promise<void> {
    return this.inTurn(async () => {
      await this.catchUp();
      while (this.more.value) {
        if (!(await this.read({ before: this.start, last: PAGE }, 'front'))) throw new Fault('NETWORK');
      }
    });
  }

  /** Reads what is missing at the end, now. */
  readonly retry = async (): Promise<void> => {
    try {
      await this.inTurn(() => this.catchUp());
      this.tries = 0;
      this.state.value = 'read';
    } catch {
      this.state.value = 'unread';
      clearTimeout(this.timer);
      if (this.closed) return;
      this.timer = window.setTimeout(this.retry, Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** this.tries));
      this.tries += 1;
    }
  };

  /** The connection is back. */
  private readonly again = (): void => {
    this.tries = 0;
    if (this.state.value === 'unread') void this.retry();
  };

  private async catchUp(): Promise<void> {
    if (this.end === null) await this.read({ last: FIRST_PAGE }, 'front');
    while (this.seen < this.wanted && this.end !== null) {
      if (!(await this.read({ after: this.end, first: PAGE }, 'back'))) break;
    }
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => {});
    return done;
  }

  private async read(
    page: { after?: string; before?: string | null; first?: number; last?: number },
    where: 'front' | 'back',
  ): Promise<boolean> {
    const { match } = await ask(ReadActionsDocument, { id: this.id, ...page });
    if (!match) throw new Fault('MATCH_NOT_FOUND');
    const { edges, pageInfo } = match.actions;
    const nodes = edges.map((edge) => edge.node);
    if (where === 'front') {
      this.actions.value = [...nodes, ...this.actions.value];
      this.more.value = pageInfo.hasPreviousPage;
      this.start = pageInfo.startCursor ?? this.start;
      this.end ??= pageInfo.endCursor;
    } else {
      this.actions.value = [...this.actions.value, ...nodes];
      this.end = pageInfo.endCursor ?? this.end;
    }
    this.seen = Math.max(this.seen, this.actions.value.at(-1)?.version ?? 0);
    return nodes.length > 0;
  }
}
