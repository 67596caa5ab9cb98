// Matching a new game or a takeover, with counts and limits.
import type { Signal } from '@preact/signals';
import { MatchNewGameDocument, MatchTakeoverDocument } from '../../api/generated.matching.ts';
import type { LobbyStateFragment } from '../../api/generated.ts';
import { newNonce } from '../../api/http.ts';
import { once } from '../../api/once.ts';
import { pageWords } from '../../i18n/index.ts';
import { go } from '../../router.ts';
import { sayFault, sayRefused } from '../../ui/toasts.tsx';

interface Props {
  state: LobbyStateFragment;
  busy: Signal<boolean>;
}

interface Payload {
  match: { id: string } | null;
  userErrors: { code: string; retryAfter: number | null }[];
}

/** The two doors into matches. */
export function Matching({ state, busy }: Props) {
  const { lobby: w } = pageWords();
  const match = async (work: () => Promise<{ payload: Payload }>) => {
    busy.value = true;
    try {
      const { payload } = await work();
      const problem = payload.userErrors[0];
      if (problem) void sayRefused(problem);
      else if (payload.match) go(`/table/${payload.match.id}`);
    } catch (fault) {
      sayFault(fault);
    }
    busy.value = false;
  };
  const newGame = () => match(() => once(MatchNewGameDocument, {}, () => ({ nonce: newNonce() })));
  const takeover = () => match(() => once(MatchTakeoverDocument, {}));
  return (
    <div class="matching-doors">
      <Door
        name={w.newGame}
        hint={w.newGameHint}
        count={w.open(state.openTables)}
        allowance={state.fullMatches}
        held={w.held}
        busy={busy.value}
        main
        onGo={newGame}
      />
      <Door
        name={w.takeover}
        hint={w.takeoverHint}
        count={w.vacancies(state.vacancies)}
        allowance={state.takeovers}
        held={w.heldOver}
        busy={busy.value}
        onGo={takeover}
      />
    </div>
  );
}

interface DoorProps {
  name: string;
  hint: string;
  count: string;
  allowance: { held: number; limit: number };
  held: (held: number, limit: number) => string;
  busy: boolean;
  main?: boolean;
  onGo: () => void;
}

function Door({ name, hint, count, allowance, held, busy, main, onGo }: DoorProps) {
  const { lobby: w } = pageWords();
  const { limit } = allowance;
  const full = allowance.held >= limit;
  return (
    <section class="card matching-door">
      <button
        type="button"
        class={main ? 'main wide big' : 'wide big'}
        onClick={onGo}
        disabled={busy || full}
      >
        {name}
      </button>
      <p class="quiet">{hint}</p>
      <p class="facts">
        <span>{count}</span>
        <span>{held(allowance.held, limit)}</span>
      </p>
      {full && <p class="problem">{limit === 0 ? w.closed : w.full}</p>}
    </section>
  );
}
