// Reminders by mail: which, at what hours of which zone, and what will be sent next.
import { useSignal } from '@preact/signals';
import { ReadRemindersDocument, UpdateRemindersDocument } from '../../api/generated.reminders.ts';
import type { ReadRemindersQuery, ReminderMode, RemindersFragment } from '../../api/generated.ts';
import { ask, command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Form } from '../../forms/Form.tsx';
import { problemAt } from '../../forms/problems.ts';
import { account } from '../../i18n/account.ts';
import { fullMoment, words } from '../../i18n/index.ts';
import { useLoad } from '../../ui/load.ts';
import { say, sayFault } from '../../ui/toasts.tsx';
import { zones } from './zones.ts';

type Upcoming = NonNullable<ReadRemindersQuery['viewer']>['upcomingReminders'];
const MODES: readonly ReminderMode[] = ['SMART', 'DEADLINE_ONLY', 'OFF'];

/** The reminders' section. */
export function RemindersSection() {
  const w = account.words().reminders;
  const now = useSignal<RemindersFragment | null>(null);
  const upcoming = useSignal<Upcoming>([]);
  const read = async () => {
    const { viewer } = await ask(ReadRemindersDocument, {});
    if (!viewer) return;
    now.value = viewer.reminderSettings;
    upcoming.value = viewer.upcomingReminders;
  };
  useLoad(
    () => read().catch(sayFault),
    () => now.peek() === null,
    [],
  );
  return (
    <section class="card">
      <h2>{w.heading}</h2>
      {now.value ? (
        <>
          <Choices now={now.value} onSaved={() => void read().catch(sayFault)} />
          <h3>{w.upcoming}</h3>
          {upcoming.value.length === 0 && <p class="quiet">{w.none}</p>}
          <ul class="lines-list">
            {upcoming.value.map(({ at, kind, matches }) => (
              <li key={`${at}${kind}`}>
                <time dateTime={at}>{fullMoment(at)}</time>
                <span class="grow row">
                  {w.what(kind, matches.length)}
                  {matches.map(({ matchId }, i) => (
                    <a key={matchId} href={`/table/${matchId}`}>
                      {w.table} {i + 1}
                    </a>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p class="quiet loading">{words().common.loading}</p>
      )}
    </section>
  );
}

function Choices({ now, onSaved }: { now: RemindersFragment; onSaved: () => void }) {
  const w = account.words();
  const r = w.reminders;
  const attempt = useAttempt();
  const next = useSignal(now);
  const set = (part: Partial<RemindersFragment>) => {
    next.value = { ...next.value, ...part };
  };
  const save = async () => {
    const { mode, from, to, zone } = next.value;
    const done = await attempt.run(async () => {
      const input = { idempotencyKey: newKey(), mode, from, to, zone };
      return (await command(UpdateRemindersDocument, { input })).payload.userErrors;
    });
    if (!done) return;
    say(w.saved);
    onSaved();
  };
  const problem = (field: string) => problemAt(field, attempt.problem.value);
  return (
    <Form attempt={attempt} fields={['from', 'to', 'zone']} button={w.save} onSubmit={() => void save()}>
      <fieldset>
        <legend class="unseen">{r.heading}</legend>
        {MODES.map((mode) => (
          <label key={mode} class="choice">
            <input
              type="radio"
              name="mode"
              checked={next.value.mode === mode}
              onChange={() => set({ mode })}
            />
            <span>
              <b>{r.modes[mode][0]}</b>
              <small>{r.modes[mode][1]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {next.value.mode !== 'OFF' && (
        <>
          <fieldset>
            <legend>{r.window}</legend>
            <div class="pair">
              {(['from', 'to'] as const).map((end) => (
                <label key={end} class="field">
                  <span>{r[end]}</span>
                  <input
                    type="time"
                    required
                    value={next.value[end]}
                    onInput={(event) => set({ [end]: event.currentTarget.value })}
                  />
                </label>
              ))}
            </div>
            <p class="quiet">{r.windowHint}</p>
          </fieldset>
          <label class="field">
            <span>{r.zone}</span>
            <select value={next.value.zone} onChange={(event) => set({ zone: event.currentTarget.value })}>
              {zones(next.value.zone).map((zone) => (
                <option key={zone} value={zone}>
                  {zone}
                </option>
              ))}
            </select>
          </label>
          {['from', 'to', 'zone'].map(
            (field) =>
              problem(field) && (
                <p key={field} class="problem" role="alert">
                  {problem(field)}
                </p>
              ),
          )}
        </>
      )}
    </Form>
  );
}
