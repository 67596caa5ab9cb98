// What the bar tells before it tells what to do next, aloud as well: what a pick has done, how the own offer of a draw
// stands, and what became of own pieces since the person last moved.
import type { ActionFragment, TableFragment } from '../../api/generated.ts';
import { aside } from '../../i18n/aside.ts';
import { words } from '../../i18n/index.ts';
import { whyNot } from './idle.ts';
import type { TableModel } from './model.ts';

/** The news in the place of the hint; an empty line, which screen readers watch, when there are none. */
export function News({ model, view }: { model: TableModel; view: TableFragment }) {
  return (
    <p class="news" role="status">
      {model.pending.value ? '' : news(model, view)}
    </p>
  );
}

function news(model: TableModel, view: TableFragment): string {
  const { table, pieces } = words();
  if (model.wondered.value) return whyNot(view, model.wondered.value);
  const picked = view.board.find((one) => one.at === model.selected.value)?.identity;
  if (picked) return table.hints.target(pieces.names[picked], model.goals.value.length);
  const { drawOwn, drawPending, stop } = aside.words();
  const offer = view.drawOffer;
  const own = offer && offer.seat === view.mySeat ? [drawOwn, drawPending(offer.pending)] : [];
  return [...own, ...battles(model.log.actions.value, view)].join(stop);
}

/** The battles of own pieces since the last own turn began, in words. */
export function battles(actions: readonly ActionFragment[], view: TableFragment): string[] {
  const { mySeat } = view;
  const out = view.seats.some((card) => card.seat === mySeat && card.eliminated);
  if (!mySeat || out || view.phase !== 'PLAYING') return [];
  const mine = (action: ActionFragment) => action.seat === mySeat && /^(MOVED|SKIPPED)$/.test(action.kind);
  return actions.slice(Math.max(0, actions.findLastIndex(mine))).flatMap(({ move }) => {
    const line = move && battle(move, view);
    return line ? [line] : [];
  });
}

function battle(move: NonNullable<ActionFragment['move']>, view: TableFragment): string | null {
  const { met, outcome } = move;
  if (!met || outcome === 'NONE') return null;
  const attacking = move.seat === view.mySeat;
  if (!attacking && met.seat !== view.mySeat) return null;
  const handle = attacking ? move.handle : met.handle;
  const own = view.myPieces.find((piece) => piece.handle === handle)?.identity;
  if (!own) return null;
  const { battle: told } = aside.words();
  const name = words().pieces.names[own];
  const other = attacking ? met.seat : move.seat;
  if (outcome === 'BOTH') return told.both(name, other);
  const won = (outcome === 'ATTACKER') === attacking;
  return (attacking ? (won ? told.takes : told.falls) : won ? told.holds : told.taken)(name, other);
}
