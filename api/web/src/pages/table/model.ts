// One table as this page knows it: the server's latest snapshot, what is under way, what is selected. It never changes
// the board on its own belief: only snapshots do.
import { batch, computed, signal } from '@preact/signals';
import {
  type AnswerFragment,
  MovePieceDocument,
  ReadRouteDocument,
  ReadTableDocument,
  type TableFragment,
  type TypedDocumentString,
  WatchTableDocument,
} from '../../api/generated.ts';
import { ask, command, Fault, newKey } from '../../api/http.ts';
import { watch } from '../../api/live.ts';
import { setServerTime } from '../../clock.ts';
import { viewer } from '../../session.ts';
import { settings } from '../../settings.ts';
import { sayFault, sayRefused } from '../../ui/toasts.tsx';
import { ActionLog } from './log.ts';

type Common = 'matchId' | 'idempotencyKey';
type CommandDocument<V> = TypedDocumentString<{ payload: AnswerFragment }, { input: V }>;

/** A table. */
export class TableModel {
  readonly view = signal<TableFragment | null>(null);
  readonly state = signal<'loading' | 'ready' | 'missing' | 'unreachable'>('loading');
  /** Positions of the command under way; null when there is none. */
  readonly pending = signal<readonly string[] | null>(null);
  readonly selected = signal<string | null>(null);
  readonly chosen = signal<string | null>(null);
  /** An own piece that was picked although it cannot move. */
  readonly wondered = signal<string | null>(null);
  /** The way of the chosen move, as the server gives it. */
  readonly preview = signal<readonly string[] | null>(null);
  /** How many quarter turns the view is away from the own seat. */
  readonly turns = signal(0);
  /** The broken rules of the last refused formation. */
  readonly broken = signal<AnswerFragment['userErrors'][number]['brokenRules']>([]);
  readonly log: ActionLog;

  /** Where the selected piece can go. */
  readonly goals = computed<readonly string[]>(() => {
    const from = this.selected.value;
    return this.view.value?.legalMoves.find((moves) => moves.from === from)?.to ?? [];
  });

  private stop: () => void = () => {};
  private closed = false;

  constructor(readonly id: string) {
    this.log = new ActionLog(id);
  }

  /** Reads the table and follows it. */
  async open(): Promise<void> {
    this.state.value = 'loading';
    try {
      const { match } = await ask(ReadTableDocument, { id: this.id });
      if (this.closed) return;
      if (!match) {
        this.state.value = 'missing';
        return;
      }
      this.take(match);
      this.stop = watch(
        WatchTableDocument,
        { id: this.id, after: match.version, afterPrivate: match.privateVersion },
        ({ match: next }) => (next ? this.take(next) : this.lose()),
      );
    } catch (fault) {
      if (this.closed) return;
      if (fault instanceof Fault && fault.code === 'UNAUTHENTICATED') viewer.value = null;
      const missing = fault instanceof Fault && /NOT_FOUND|INVALID|UNAUTHENTICATED/.test(fault.code);
      this.state.value = missing ? 'missing' : 'unreachable';
      if (!missing) addEventListener('online', () => this.again(), { once: true });
    }
  }

  private again(): void {
    if (!this.closed && this.state.value === 'unreachable') void this.open();
  }

  /** Ends following. */
  close(): void {
    this.closed = true;
    this.stop();
    this.log.close();
  }

  /** Takes a snapshot over, unless a newer one is there already. */
  take(next: TableFragment): void {
    const now = this.view.value;
    if (now) {
      if (next.version < now.version) return;
      if (next.version === now.version && (next.privateVersion ?? 0) < (now.privateVersion ?? 0)) return;
    }
    batch(() => {
      setServerTime(next.now);
      this.view.value = next;
      this.state.value = 'ready';
      if (!now || next.version !== now.version) this.keepSelection(next);
      void this.log.follow(next.version);
    });
    // What is told is loaded with the first change; who has no line then hears of the next one.
    if (now) void import('./arrived.ts').then(({ arrived }) => arrived(now, next)).catch(() => {});
  }

  private keepSelection(next: TableFragment): void {
    const moves = next.legalMoves.find((one) => one.from === this.selected.value);
    const arranging = next.phase === 'ASSEMBLING';
    if (!moves && !arranging) this.drop();
    else if (this.chosen.value && !moves?.to.includes(this.chosen.value)) this.unchoose();
  }

  private lose(): void {
    this.state.value = 'missing';
  }

  /** Selects a piece, or a target for the selected one; picking the selected piece puts it down. */
  pick(at: string): void {
    if (this.pending.value) return;
    if (this.goals.value.includes(at)) {
      void this.choose(at);
      return;
    }
    this.unchoose();
    this.selected.value = at === this.selected.value ? null : at;
  }

  /** Puts everything down. */
  drop(): void {
    this.selected.value = null;
    this.unchoose();
  }

  /** Picks a piece that cannot move: the bar says why. */
  wonder(at: string): void {
    this.drop();
    this.wondered.value = at;
  }

  private unchoose(): void {
    this.wondered.value = null;
    this.chosen.value = null;
    this.preview.value = null;
  }

  private async choose(to: string): Promise<void> {
    const from = this.selected.value;
    if (!from) return;
    if (!settings.value.confirmMoves || this.chosen.value === to) {
      this.chosen.value = to;
      await this.move();
      return;
    }
    this.chosen.value = to;
    this.preview.value = null;
    try {
      const { match } = await ask(ReadRouteDocument, { id: this.id, from, to });
      if (this.chosen.value === to && this.selected.value === from) this.preview.value = match?.route ?? null;
    } catch {
      // The way is an ornament of the question; the move itself tells what is wrong.
    }
  }

  /** Steps through the places where the selected piece can go. */
  step(by: 1 | -1): void {
    const goals = this.goals.value;
    const here = goals.indexOf(this.chosen.value ?? '');
    const next = goals[(here + by + goals.length) % goals.length];
    if (next && next !== this.chosen.value) void this.choose(next);
  }

  /** Sends the chosen move. */
  async move(): Promise<void> {
    const { value: from } = this.selected;
    const { value: to } = this.chosen;
    const view = this.view.value;
    if (!from || !to || !view) return;
    const done = await this.run(MovePieceDocument, { expectedVersion: view.version, from, to }, [from, to]);
    if (done) this.drop();
    else this.unchoose();
  }

  /**
   * Sends a command; true when it stands: its answer says so, or a snapshot that comes before. Refusals are said in words
   * and bring the server's board.
   */
  async run<V extends { matchId: string | number; idempotencyKey: string }>(
    document: CommandDocument<V>,
    input: Omit<V, Common>,
    marks: readonly string[] = [],
  ): Promise<boolean> {
    const before = this.view.value;
    if (this.pending.value || !before) return false;
    this.pending.value = marks;
    this.broken.value = [];
    const full = { ...input, matchId: this.id, idempotencyKey: newKey() } as unknown as V;
    const looking = import('./standing.ts')
      .then(({ lookOut }) => lookOut(this, document, full, before))
      .catch(() => null);
    const shown = looking.then((found) => found?.shown ?? new Promise<never>(() => {}));
    try {
      const answer = await Promise.race([shown, this.send(document, full)]);
      const problem = answer?.userErrors[0];
      // Who asked for the same in two windows got it by one of them.
      if (!problem || (await looking)?.isSo()) return true;
      this.broken.value = problem.brokenRules;
      // Broken rules are told one by one where the formation is.
      if (problem.brokenRules.length === 0) void sayRefused(problem);
    } catch (fault) {
      sayFault(fault);
    } finally {
      this.pending.value = null;
      void looking.then((found) => found?.stop());
    }
    return false;
  }

  private async send<V>(document: CommandDocument<V>, input: V): Promise<AnswerFragment> {
    const { payload } = await command(document, { input });
    if (payload.match) this.take(payload.match);
    else if (this.view.value) this.lose();
    return payload;
  }
}
