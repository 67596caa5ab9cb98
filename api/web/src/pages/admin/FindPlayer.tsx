// Finding a player by id, address or nickname: accounts that share a device or a network, suspending, points.
import { useSignal } from '@preact/signals';
import { FindPlayerDocument } from '../../api/generated.adminFind.ts';
import type { FoundPlayerFragment } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Form } from '../../forms/Form.tsx';
import { admin } from '../../i18n/admin.ts';
import { fullMoment, words } from '../../i18n/index.ts';
import { idIn } from './FindMatch.tsx';
import { PlayerActions } from './PlayerActions.tsx';

/** By what a typed text names a player. */
export function wantedPlayer(typed: string): { id: string } | { email: string } | { nickname: string } {
  const text = typed.trim();
  if (text.includes('@')) return { email: text };
  const id = idIn(text);
  return /^[0-9a-f]{34}$/.test(id) ? { id } : { nickname: text };
}

/** The part that finds players. */
export function FindPlayer({ onDone }: { onDone: () => void }) {
  const w = admin.words().player;
  const attempt = useAttempt();
  const typed = useSignal('');
  const found = useSignal<FoundPlayerFragment | null | undefined>(undefined);
  const find = (text: string) =>
    attempt.run(async () => {
      found.value = undefined;
      const answer = await ask(FindPlayerDocument, wantedPlayer(text));
      found.value = answer.admin?.findPlayer ?? null;
      return [];
    });
  const player = found.value;
  return (
    <section class="card">
      <h2>{w.heading}</h2>
      <Form attempt={attempt} fields={[]} button={admin.words().find} onSubmit={() => void find(typed.value)}>
        <label class="field">
          <span>{w.by}</span>
          <input
            type="search"
            required
            value={typed.value}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
      </Form>
      {player === null && <p role="status">{w.missing}</p>}
      {player && (
        <>
          <p>
            <a href={`/player/${player.player.id}`}>
              <b>{player.player.nickname ?? words().common.erased}</b>
            </a>
            {player.suspended && <small class="tag">{w.suspended}</small>}
            {player.deleted && <small class="tag">{words().common.erased}</small>}
            {player.house && <small class="tag">{words().common.house}</small>}
            <br />
            <small class="quiet">
              {player.email} {player.createdAt && w.since(fullMoment(player.createdAt))}
            </small>
          </p>
          <h3>{w.linked}</h3>
          {player.linked.length === 0 && <p class="quiet">{w.alone}</p>}
          <ul class="lines-list">
            {player.linked.map(({ player: other, by, lastAt }) => (
              <li key={`${other.id}${by}`}>
                <button type="button" onClick={() => void find(other.id)}>
                  {other.nickname ?? words().common.erased}
                </button>
                <span class="grow quiet">{w.shares(by, fullMoment(lastAt))}</span>
              </li>
            ))}
          </ul>
          {!player.deleted && (
            <PlayerActions
              key={player.player.id}
              of={player}
              onDone={(next) => {
                if (next) found.value = next;
                onDone();
              }}
            />
          )}
        </>
      )}
    </section>
  );
}
