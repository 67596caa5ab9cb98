// Finding a match by its id, and ending a broken one without result. Public facts alone: no identity of a piece.
import { useSignal } from '@preact/signals';
import { AdminVoidMatchDocument, FindMatchDocument } from '../../api/generated.adminFind.ts';
import type { FoundMatchFragment } from '../../api/generated.ts';
import { ask, command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Form } from '../../forms/Form.tsx';
import { admin } from '../../i18n/admin.ts';
import { fullMoment, words } from '../../i18n/index.ts';
import { confirm } from '../../ui/questions.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { say } from '../../ui/toasts.tsx';
import { endInWords } from '../table/ending.ts';
import { ReasonField } from './ReasonField.tsx';

/** The part that finds matches. */
export function FindMatch({ onDone }: { onDone: () => void }) {
  const w = admin.words().match;
  const attempt = useAttempt();
  const id = useSignal('');
  const found = useSignal<FoundMatchFragment | null | undefined>(undefined);
  const find = () =>
    attempt.run(async () => {
      found.value = undefined;
      const answer = await ask(FindMatchDocument, { id: idIn(id.value) });
      found.value = answer.admin?.findMatch ?? null;
      return [];
    });
  return (
    <section class="card">
      <h2>{w.heading}</h2>
      <Form attempt={attempt} fields={[]} button={admin.words().find} onSubmit={() => void find()}>
        <label class="field">
          <span>{w.id}</span>
          <input
            type="search"
            required
            value={id.value}
            onInput={(event) => (id.value = event.currentTarget.value)}
          />
        </label>
      </Form>
      {found.value === null && <p role="status">{w.missing}</p>}
      {found.value && (
        <Found
          match={found.value}
          onVoided={(next) => {
            found.value = next;
            onDone();
          }}
        />
      )}
    </section>
  );
}

/** The id in what was typed: a table's address holds it, too. */
export const idIn = (typed: string): string => typed.trim().split('/').at(-1) ?? '';

interface FoundProps {
  match: FoundMatchFragment;
  onVoided: (next: FoundMatchFragment | null) => void;
}

function Found({ match, onVoided }: FoundProps) {
  const w = admin.words();
  const attempt = useAttempt();
  const reason = useSignal('');
  const end = async () => {
    if (!(await confirm(w.match.voidSure, w.match.void, true))) return;
    const done = await attempt.run(async () => {
      const input = { idempotencyKey: newKey(), matchId: match.id, reason: reason.value.trim() };
      const { payload } = await command(AdminVoidMatchDocument, { input });
      if (payload.userErrors.length === 0) onVoided(payload.match);
      return payload.userErrors;
    });
    if (done) say(w.done);
  };
  return (
    <>
      <p>
        <b>{w.match.phases[match.phase]}</b> {match.outcome && endInWords(match.outcome)}
        <br />
        <small class="quiet">
          {match.startedAt && w.match.started(fullMoment(match.startedAt))}{' '}
          {match.endedAt && w.match.ended(fullMoment(match.endedAt))}
        </small>
      </p>
      <ul class="lines-list">
        {match.seats.map(({ seat, player, active }) => (
          <li key={seat}>
            <SeatBadge seat={seat} />
            {player ? (
              <span class={active ? undefined : 'quiet'}>
                <a href={`/player/${player.id}`}>{player.nickname ?? words().common.erased}</a>
              </span>
            ) : (
              <span class="quiet">{words().table.vacant}</span>
            )}
          </li>
        ))}
      </ul>
      {match.voidable && (
        <Form attempt={attempt} fields={[]} button={w.match.void} grave onSubmit={() => void end()}>
          <ReasonField value={reason} />
        </Form>
      )}
    </>
  );
}
