// Open questions at the table: a draw offer with who has answered, and the own side's proposal to surrender.
import {
  AnswerTeamSurrenderDocument,
  type TableFragment,
  VoteDrawDocument,
  WithdrawTeamSurrenderDocument,
} from '../../api/generated.ts';
import { aside } from '../../i18n/aside.ts';
import { signed, words } from '../../i18n/index.ts';
import { confirm } from '../../ui/questions.ts';
import type { TableModel } from './model.ts';

/** The votes that are open. */
export function Votes({ model, view }: { model: TableModel; view: TableFragment }) {
  return (
    <>
      {view.drawOffer && <Draw model={model} view={view} offer={view.drawOffer} />}
      {view.teamSurrender && <Team model={model} view={view} proposal={view.teamSurrender} />}
    </>
  );
}

/** A way to the answers of a vote that waits for the viewer, where they may be out of sight. */
export function VoteWaits({ view }: { view: TableFragment }) {
  if (!asksMe(view)) return null;
  return (
    <button type="button" class="main ask" onClick={toVote}>
      {words().table.vote}
    </button>
  );
}

/** Whether an open vote waits for the viewer. */
function asksMe({ mySeat, drawOffer, teamSurrender }: TableFragment): boolean {
  if (!mySeat) return false;
  return !!drawOffer?.pending.includes(mySeat) || (teamSurrender !== null && teamSurrender.seat !== mySeat);
}

/** Brings the answers of the vote into sight. */
function toVote(): void {
  const answer = document.querySelector<HTMLElement>('.vote .row button');
  answer?.scrollIntoView({ block: 'center' });
  answer?.focus({ preventScroll: true });
}

interface DrawProps {
  model: TableModel;
  view: TableFragment;
  offer: NonNullable<TableFragment['drawOffer']>;
}

function Draw({ model, view, offer }: DrawProps) {
  const w = aside.words();
  const asked = view.mySeat !== null && offer.pending.includes(view.mySeat);
  const vote = (accept: boolean) => void model.run(VoteDrawDocument, { accept, offer: offer.offer });
  const busy = model.pending.value !== null;
  return (
    <section class="card vote">
      <h2>{offer.seat === view.mySeat ? w.drawOwn : w.drawOffer(offer.seat)}</h2>
      <p>{w.drawAccepted(offer.accepted)}</p>
      {offer.pending.length > 0 && <p>{w.drawPending(offer.pending)}</p>}
      {asked && (
        <div class="row">
          <button type="button" onClick={() => vote(false)} disabled={busy}>
            {w.decline}
          </button>
          <button type="button" class="main" onClick={() => vote(true)} disabled={busy}>
            {w.accept}
          </button>
        </div>
      )}
    </section>
  );
}

interface TeamProps {
  model: TableModel;
  view: TableFragment;
  proposal: NonNullable<TableFragment['teamSurrender']>;
}

function Team({ model, view, proposal: { proposal, seat } }: TeamProps) {
  const w = aside.words();
  const points = signed(view.rules.points.teamSurrender);
  const busy = model.pending.value !== null;
  const own = seat === view.mySeat;
  const answer = async (accept: boolean) => {
    if (accept && !(await confirm(w.teamAgree(points), words().table.team, true))) return;
    await model.run(AnswerTeamSurrenderDocument, { accept, proposal });
  };
  return (
    <section class="card vote">
      <h2>{own ? w.teamOwn : w.teamOffer(points)}</h2>
      <div class="row">
        {own ? (
          <button
            type="button"
            onClick={() => void model.run(WithdrawTeamSurrenderDocument, { proposal })}
            disabled={busy}
          >
            {w.withdraw}
          </button>
        ) : (
          <>
            <button type="button" onClick={() => void answer(false)} disabled={busy}>
              {w.decline}
            </button>
            <button type="button" class="grave" onClick={() => void answer(true)} disabled={busy}>
              {w.accept}
            </button>
          </>
        )}
      </div>
    </section>
  );
}
