// What the person can do in a match that runs: the move that waits for a yes, and the actions beside moving.
import type { ComponentChildren } from 'preact';
import {
  LeaveDocument,
  OfferDrawDocument,
  ProposeTeamSurrenderDocument,
  SkipTurnDocument,
  SurrenderDocument,
  type TableFragment,
} from '../../api/generated.ts';
import { line } from '../../api/live.ts';
import { signed, words } from '../../i18n/index.ts';
import { settings } from '../../settings.ts';
import { lazy } from '../../ui/lazy.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { confirm } from '../../ui/questions.ts';
import { moveInWords } from './describe.ts';
import type { TableModel } from './model.ts';
import { TextSwitch } from './TextSwitch.tsx';

const News = lazy(
  () => import('./News.tsx'),
  'News',
  async () => (await import('../../i18n/aside.ts')).aside.speak(),
);

interface Props {
  model: TableModel;
  view: TableFragment;
  /** What waits for the person, above all else. */
  asks?: ComponentChildren;
  /** Further actions, first in the row. */
  children?: ComponentChildren;
}

/** The bar under the board. */
export function PlayBar({ model, view, asks, children }: Props) {
  const from = model.selected.value;
  const to = model.chosen.value;
  if (from && to) return <ConfirmMove model={model} view={view} from={from} to={to} />;
  return (
    <div class="bar">
      {asks}
      <p class="hint">{hint(model, view)}</p>
      <News model={model} view={view} />
      <div class="row">
        {children}
        <Actions model={model} view={view} />
      </div>
    </div>
  );
}

function hint(model: TableModel, view: TableFragment): string {
  const { hints } = words().table;
  if (model.pending.value) return sending();
  if (view.role === 'CANDIDATE') return hints.candidate;
  if (view.role === 'DEPARTED') return hints.departed;
  if (view.seats.some((card) => card.seat === view.mySeat && card.eliminated)) return hints.eliminated;
  if (!view.myTurn) return hints.wait;
  const piece = view.board.find((one) => one.at === model.selected.value)?.identity;
  if (piece) return hints.target(words().pieces.names[piece], model.goals.value.length);
  return hints.pick;
}

/** What is under way: without a line it cannot have arrived, and is being tried again. */
function sending(): string {
  const { hints } = words().table;
  return line.value === 'lost' ? hints.unsent : hints.pending;
}

function ConfirmMove({
  model,
  view,
  from,
  to,
}: {
  model: TableModel;
  view: TableFragment;
  from: string;
  to: string;
}) {
  const { move } = words().table;
  const busy = model.pending.value !== null;
  return (
    <div class="bar confirming">
      <p class="hint" role="status">
        <strong>{busy ? sending() : moveInWords(view, from, to)}</strong>
      </p>
      <div class="row">
        <button
          type="button"
          class="icon"
          onClick={() => model.step(-1)}
          disabled={busy}
          aria-label={move.previous}
        >
          ◀
        </button>
        <button
          type="button"
          class="icon"
          onClick={() => model.step(1)}
          disabled={busy}
          aria-label={move.next}
        >
          ▶
        </button>
        <button type="button" onClick={() => model.drop()} disabled={busy}>
          {move.cancel}
        </button>
        <button type="button" class="main wide" onClick={() => void model.move()} disabled={busy}>
          {move.confirm}
        </button>
      </div>
    </div>
  );
}

/** The words of questions, read when one is asked. */
async function asked() {
  const { aside } = await import('../../i18n/aside.ts');
  await aside.speak();
  return aside.words();
}

function Actions({ model, view }: { model: TableModel; view: TableFragment }) {
  const { table } = words();
  const active = view.mySeat !== null && view.seats.some((card) => card.seat === view.mySeat && card.active);
  const busy = model.pending.value !== null;
  const mate = view.seats.find((card) => card.side === view.mySide && card.seat !== view.mySeat);
  const { departure, teamSurrender } = view.rules.points;

  const skip = async () => {
    const w = await asked();
    if (await confirm(w.skipConfirm(view.mySkipsLeft ?? 0), table.skip(view.mySkipsLeft ?? 0))) {
      await model.run(SkipTurnDocument, { expectedVersion: model.view.value?.version ?? 0 });
    }
  };
  const draw = async () => {
    if (await confirm((await asked()).drawConfirm, table.draw)) await model.run(OfferDrawDocument, {});
  };
  const surrender = async () => {
    if (await confirm((await asked()).surrenderConfirm, table.surrender, true))
      await model.run(SurrenderDocument, {});
  };
  const team = async () => {
    if (await confirm((await asked()).teamConfirm(signed(teamSurrender)), table.team, true)) {
      await model.run(ProposeTeamSurrenderDocument, {});
    }
  };
  const leave = async () => {
    const price = Math.abs(departure);
    const w = await asked();
    if (await confirm(w.leaveConfirm(price), w.leaveTyped(price), true)) await model.run(LeaveDocument, {});
  };
  return (
    <>
      {active && (
        <>
          <button type="button" onClick={skip} disabled={busy || !view.myTurn || !view.mySkipsLeft}>
            {table.skip(view.mySkipsLeft ?? 0)}
          </button>
          <button
            type="button"
            onClick={draw}
            disabled={busy || !view.myTurn || view.turn?.drawOffered || view.drawOffer !== null}
          >
            {table.draw}
          </button>
        </>
      )}
      {!settings.value.textBoard && (
        <button type="button" onClick={() => (model.turns.value += 1)}>
          {table.turnBoard}
        </button>
      )}
      <Menu label={table.more}>
        <TextSwitch />
        {active && (
          <>
            <button type="button" class="risky" onClick={surrender} disabled={busy}>
              {table.surrender}
            </button>
            <button
              type="button"
              class="risky"
              onClick={team}
              disabled={busy || view.teamSurrender !== null || !mate?.active || mate.vacant}
            >
              {table.team}
            </button>
            <button type="button" class="risky" onClick={leave} disabled={busy}>
              {table.leave}
            </button>
          </>
        )}
      </Menu>
    </>
  );
}
