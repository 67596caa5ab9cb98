// What an administrator can do to a player: suspend, reinstate, adjust points; each with its reason.
import { useSignal } from '@preact/signals';
import {
  AdminAdjustPointsDocument,
  AdminReinstateDocument,
  AdminSuspendDocument,
} from '../../api/generated.adminFind.ts';
import type { FoundPlayerFragment, ProblemFragment } from '../../api/generated.ts';
import { once } from '../../api/once.ts';
import { useAttempt } from '../../forms/attempt.ts';
import { Fold } from '../../forms/Fold.tsx';
import { Form } from '../../forms/Form.tsx';
import { admin } from '../../i18n/admin.ts';
import { confirm } from '../../ui/questions.ts';
import { say } from '../../ui/toasts.tsx';
import { NumberField } from './NumberField.tsx';
import { ReasonField } from './ReasonField.tsx';

interface Props {
  of: FoundPlayerFragment;
  onDone: (next: FoundPlayerFragment | null) => void;
}

interface Answer {
  payload: { player: FoundPlayerFragment | null; userErrors: readonly ProblemFragment[] };
}

/** The actions. */
export function PlayerActions({ of, onDone }: Props) {
  const w = admin.words();
  const standing = useAttempt();
  const adjusting = useAttempt();
  const why = useSignal('');
  const whyPoints = useSignal('');
  const points = useSignal(0);
  const common = (reason: string) => ({ playerId: of.player.id, reason: reason.trim() });
  const act = async (attempt: typeof standing, send: () => Promise<Answer>) => {
    const done = await attempt.run(async () => {
      const { payload } = await send();
      if (payload.userErrors.length === 0) onDone(payload.player);
      return payload.userErrors;
    });
    if (done) say(w.done);
  };
  const suspend = async () => {
    if (!(await confirm(w.player.suspendSure, w.player.suspend, true))) return;
    await act(standing, () => once(AdminSuspendDocument, common(why.value)));
  };
  const reinstate = () => act(standing, () => once(AdminReinstateDocument, common(why.value)));
  const adjust = () =>
    act(adjusting, () =>
      once(AdminAdjustPointsDocument, { ...common(whyPoints.value), points: points.value }),
    );
  return (
    <div>
      <Fold name={of.suspended ? w.player.reinstate : w.player.suspend}>
        <Form
          attempt={standing}
          fields={[]}
          button={of.suspended ? w.player.reinstate : w.player.suspend}
          grave={!of.suspended}
          onSubmit={() => void (of.suspended ? reinstate() : suspend())}
        >
          {!of.suspended && <p class="quiet">{w.player.suspendHint}</p>}
          <ReasonField value={why} />
        </Form>
      </Fold>
      <Fold name={w.player.adjust}>
        <Form
          attempt={adjusting}
          fields={[]}
          button={w.player.adjust}
          disabled={points.value === 0}
          onSubmit={() => void adjust()}
        >
          <NumberField label={w.player.points} least={-1000} most={1000} value={points} />
          <ReasonField value={whyPoints} />
        </Form>
      </Fold>
    </div>
  );
}
