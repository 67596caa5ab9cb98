// The settings of the site. Each change says why; bad values are refused and change nothing.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import {
  AdminSetAnnouncementDocument,
  AdminSetLimitsDocument,
  AdminSetNormalMailWaitDocument,
  AdminSetReleaseDocument,
} from '../../api/generated.admin.ts';
import type { ProblemFragment, SiteFragment } from '../../api/generated.ts';
import { command, newKey } from '../../api/http.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Fold } from '../../forms/Fold.tsx';
import { Form } from '../../forms/Form.tsx';
import { admin } from '../../i18n/admin.ts';
import { refresh } from '../../session.ts';
import { say } from '../../ui/toasts.tsx';
import { NumberField } from './NumberField.tsx';
import { ReasonField } from './ReasonField.tsx';

interface Props {
  site: SiteFragment;
  onDone: (settings: SiteFragment | null) => void;
}

interface Answer {
  payload: { settings: SiteFragment | null; userErrors: readonly ProblemFragment[] };
}

/** The site's section. */
export function SiteSection({ site, onDone }: Props) {
  const w = admin.words().site;
  const full = useSignal(site.fullLimit);
  const takeover = useSignal(site.takeoverLimit);
  const minutes = useSignal(site.normalMailWaitMinutes);
  const hours = useSignal(site.releaseUnreadyHours);
  const text = useSignal(site.announcement ?? '');
  return (
    <section class="card">
      <h2>{w.heading}</h2>
      <dl class="facts-list">
        <dt>{w.limits}</dt>
        <dd>{w.limitsNow(site.fullLimit, site.takeoverLimit)}</dd>
        <dt>{w.wait}</dt>
        <dd>{w.minutes(site.normalMailWaitMinutes)}</dd>
        <dt>{w.release}</dt>
        <dd>{w.hours(site.releaseUnreadyHours)}</dd>
        <dt>{w.announcement}</dt>
        <dd>{site.announcement ?? w.nothing}</dd>
      </dl>
      <div>
        <Change
          name={w.limits}
          onDone={onDone}
          send={(common) =>
            command(AdminSetLimitsDocument, {
              input: { ...common, full: full.value, takeover: takeover.value },
            })
          }
        >
          <p class="quiet">{w.limitsHint}</p>
          <div class="pair">
            <NumberField label={w.full} least={0} most={100} value={full} />
            <NumberField label={w.takeover} least={0} most={100} value={takeover} />
          </div>
        </Change>
        <Change
          name={w.wait}
          onDone={onDone}
          send={(common) =>
            command(AdminSetNormalMailWaitDocument, { input: { ...common, minutes: minutes.value } })
          }
        >
          <NumberField label={w.waitHint} least={1} most={1440} value={minutes} />
        </Change>
        <Change
          name={w.release}
          onDone={onDone}
          send={(common) => command(AdminSetReleaseDocument, { input: { ...common, hours: hours.value } })}
        >
          <NumberField label={w.releaseHint} least={0} most={720} value={hours} />
        </Change>
        <Change
          name={w.announcement}
          onDone={(settings) => {
            onDone(settings);
            void refresh();
          }}
          send={(common) =>
            command(AdminSetAnnouncementDocument, {
              input: { ...common, text: text.value.replaceAll(/\s+/g, ' ').trim() || null },
            })
          }
        >
          <label class="field">
            <span>{w.announcementHint}</span>
            <textarea
              maxLength={500}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          </label>
        </Change>
      </div>
    </section>
  );
}

interface ChangeProps {
  name: string;
  send: (common: { idempotencyKey: string; reason: string }) => Promise<Answer>;
  onDone: (settings: SiteFragment | null) => void;
  children: ComponentChildren;
}

function Change({ name, send, onDone, children }: ChangeProps) {
  const w = admin.words();
  const attempt = useAttempt();
  const reason = useSignal('');
  const submit = async () => {
    const done = await attempt.run(async () => {
      const { payload } = await send({ idempotencyKey: newKey(), reason: reason.value.trim() });
      if (payload.userErrors.length === 0) onDone(payload.settings);
      return payload.userErrors;
    });
    if (!done) return;
    reason.value = '';
    say(w.done);
  };
  return (
    <Fold name={w.site.change(name)}>
      <Form attempt={attempt} fields={[]} button={w.site.set} onSubmit={() => void submit()}>
        {children}
        <ReasonField value={reason} />
      </Form>
    </Fold>
  );
}
