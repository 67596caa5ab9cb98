// For a candidate of a vacant seat: until when; and for the bar: take it over, or give the candidacy up.
import {
  ConfirmTakeoverDocument,
  type TableFragment,
  WithdrawTakeoverDocument,
} from '../../api/generated.ts';
import { aside } from '../../i18n/aside.ts';
import { moment } from '../../i18n/index.ts';
import { go } from '../../router.ts';
import { confirm } from '../../ui/questions.ts';
import type { TableModel } from './model.ts';

/** The candidate's card; nothing for others. */
export function CandidateBar({ view }: { view: TableFragment }) {
  const { candidate } = aside.words();
  const candidacy = view.candidacy;
  if (!candidacy) return null;
  return (
    <section class="card">
      <h2>{candidate.heading(candidacy.seat)}</h2>
      <p>{candidate.text}</p>
      <p>
        <strong>
          {candidacy.deadline ? candidate.deadline(moment(candidacy.deadline)) : candidate.gone}
        </strong>
      </p>
    </section>
  );
}

/** What a candidate can do, in the row of the bar. */
export function CandidateActions({ model, view }: { model: TableModel; view: TableFragment }) {
  const { candidate } = aside.words();
  const busy = model.pending.value !== null;
  const take = async () => {
    if (await confirm(candidate.confirmText, candidate.confirm)) await model.run(ConfirmTakeoverDocument, {});
  };
  const withdraw = async () => {
    if (!(await confirm(candidate.withdrawText, candidate.withdraw))) return;
    if (await model.run(WithdrawTakeoverDocument, {})) go('/lobby');
  };
  return (
    <>
      <button type="button" onClick={withdraw} disabled={busy}>
        {candidate.withdraw}
      </button>
      <button type="button" class="main" onClick={take} disabled={busy || !view.candidacy?.deadline}>
        {candidate.confirm}
      </button>
    </>
  );
}
