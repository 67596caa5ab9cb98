// The public actions of a match, read in pages and kept in order.
import { signal } from '@preact/signals';
import { type ActionFragment, ReadActionsDocument } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';

const FIRST_PAGE = 60;
const PAGE = 100;

/** The actions that have been read, oldest first, without holes. */
export class ActionLog {
  readonly actions = signal<readonly ActionFragment[]>([]);
  /** Whether there are older ones. */
  readonly more = signal(false);

  private start: string | null = null;
  private end: string | null = null;
  private seen = 0;
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly id: string) {}

  /** Reads what came up to a version. */
  follow(version: number): Promise<void> {
    return this.inTurn(async () => {
      if (this.seen >= version) return;
      if (this.end === null) await this.read({ last: FIRST_PAGE }, 'front');
      while (this.seen < version && this.end !== null) {
        if (!(await this.read({ after: this.end, first: PAGE }, 'back'))) break;
      }
    });
  }

  /** Reads all that is older. */
  all(): Promise<void> {
    return this.inTurn(async () => {
      while (this.more.value && this.start !== null) {
        if (!(await this.read({ before: this.start, last: PAGE }, 'front'))) break;
      }
    });
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    // A page that could not be read is read again with the next change.
    this.queue = this.queue.then(work).catch(() => {});
    return this.queue;
  }

  private async read(
    page: { after?: string; before?: string; first?: number; last?: number },
    where: 'front' | 'back',
  ): Promise<boolean> {
    const { match } = await ask(ReadActionsDocument, { id: this.id, ...page });
    if (!match) return false;
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
