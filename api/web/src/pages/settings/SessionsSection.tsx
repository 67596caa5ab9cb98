// The devices that are logged in, and ending their sessions.
import { useSignal } from '@preact/signals';
import {
  EndOtherSessionsDocument,
  EndSessionDocument,
  ReadSessionsDocument,
} from '../../api/generated.sessions.ts';
import type { SessionLineFragment } from '../../api/generated.ts';
import { ask } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { account } from '../../i18n/account.ts';
import { fullMoment, words } from '../../i18n/index.ts';
import { useLoad } from '../../ui/load.ts';
import { say, sayFault } from '../../ui/toasts.tsx';
import { deviceName } from './deviceName.ts';
import { Logout } from './Logout.tsx';

/** The sessions' section. */
export function SessionsSection() {
  const w = account.words().sessions;
  const list = useSignal<readonly SessionLineFragment[] | null>(null);
  const attempt = useAttempt();
  const read = async () => {
    list.value = (await ask(ReadSessionsDocument, {})).sessions;
  };
  useLoad(
    () => read().catch(sayFault),
    () => list.peek() === null,
    [],
  );
  const end = (id: string | null) =>
    attempt.run(async () => {
      const { payload } = id
        ? await ask(EndSessionDocument, { input: { sessionId: id } })
        : await ask(EndOtherSessionsDocument, {});
      if (payload.ended) say(w.ended(payload.ended));
      await read();
      return payload.userErrors;
    });
  const others = list.value?.filter((one) => !one.current) ?? [];
  return (
    <section class="card">
      <h2>{w.heading}</h2>
      {list.value ? (
        <ul class="lines-list">
          {list.value.map((one) => (
            <li key={one.id}>
              <span class="grow">
                <span title={one.device}>{deviceName(one.device) || w.unknown}</span>
                {one.current && <small class="tag">{w.here}</small>}
                <br />
                <small class="quiet">
                  {w.seen(fullMoment(one.lastSeenAt))} · {w.network(one.network)}
                </small>
              </span>
              {!one.current && (
                <button type="button" onClick={() => void end(one.id)} disabled={attempt.busy.value}>
                  {w.end}
                </button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet loading">{words().common.loading}</p>
      )}
      {attempt.problem.value && (
        <p class="problem" role="alert">
          {attempt.problem.value.text}
        </p>
      )}
      {list.value && others.length === 0 && <p class="quiet">{w.alone}</p>}
      {others.length > 0 && (
        <button type="button" class="risky" onClick={() => void end(null)} disabled={attempt.busy.value}>
          {w.endOthers}
        </button>
      )}
      <Logout />
    </section>
  );
}
