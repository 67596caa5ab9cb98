// The page of one table: board, seats, and what can be done now. Each concern is a file of its own beside this one.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { SwapPiecesDocument, type TableFragment } from '../../api/generated.ts';
import type { Target } from '../../board/Board.tsx';
import { nodeOf, type Seat, seatAfter } from '../../board/nodes.ts';
import { Stage } from '../../board/Stage.tsx';
import { armOf, type Region, seatOn } from '../../board/tracks.ts';
import { maySwap } from '../../formation/rules.ts';
import { words } from '../../i18n/index.ts';
import { settings } from '../../settings.ts';
import { lazy } from '../../ui/lazy.tsx';
import { useTitle } from '../../ui/title.ts';
import { describe } from './describe.ts';
import type { Past } from './lookback.ts';
import { marked, mayMark } from './marks.ts';
import { TableModel } from './model.ts';
import { placedAt } from './placed.ts';
import { useRoom } from './room.ts';
import { SeatCard } from './SeatCard.tsx';
import { Status } from './Status.tsx';
import { useTurnSeen } from './seen.ts';
import '../../styles/board.css';
import '../../styles/table.css';

const speakAside = async () => (await import('../../i18n/aside.ts')).aside.speak();
const CandidateBar = lazy(() => import('./CandidateBar.tsx'), 'CandidateBar', speakAside);
const CandidateActions = lazy(() => import('./CandidateBar.tsx'), 'CandidateActions', speakAside);
const FirstHint = lazy(() => import('./told.ts'), 'FirstHint', speakAside);
const MyPieces = lazy(() => import('./told.ts'), 'MyPieces', speakAside);
const FairDraw = lazy(() => import('./told.ts'), 'FairDraw', speakAside);
const Gone = lazy(() => import('./Gone.tsx'), 'Gone', speakAside);
const EndBar = lazy(() => import('./ended.ts'), 'EndBar', speakAside);
const EndCard = lazy(() => import('./ended.ts'), 'EndCard', speakAside);
const SaveReplay = lazy(() => import('./ended.ts'), 'SaveReplay', speakAside);
const Votes = lazy(() => import('./Votes.tsx'), 'Votes', speakAside);
const VoteWaits = lazy(() => import('./Votes.tsx'), 'VoteWaits', speakAside);
const MarkSheet = lazy(() => import('./MarkSheet.tsx'), 'MarkSheet', speakAside);
const LookBar = lazy(() => import('./LookBar.tsx'), 'LookBar');
const PlayBar = lazy(() => import('./playing.ts'), 'PlayBar');
const LogPanel = lazy(() => import('./playing.ts'), 'LogPanel');
const deployBar = () => import('./DeployBar.tsx');
const DeployBar = lazy(deployBar, 'DeployBar', async () => (await deployBar()).deploy.speak());
const TextBoard = lazy(() => import('./TextBoard.tsx'), 'TextBoard', speakAside);

/** The table of an id. */
export function TablePage({ id }: { id: string }) {
  const model = useMemo(() => new TableModel(id), [id]);
  useEffect(() => {
    void model.open();
    return () => model.close();
  }, [model]);
  const view = model.view.value;
  const { table, common } = words();
  useTitle(table.title(view?.mySeat ?? null));
  if (model.state.value === 'missing') return <Gone candidate={view?.role === 'CANDIDATE'} />;
  if (!view) {
    const lost = model.state.value === 'unreachable';
    return (
      <div class="page narrow centred">
        <h1 class="unseen">{table.title(null)}</h1>
        <p>{lost ? common.unreachable : common.loading}</p>
        {lost && (
          <button type="button" onClick={() => void model.open()}>
            {common.retry}
          </button>
        )}
      </div>
    );
  }
  return <Table model={model} view={view} />;
}

function Table({ model, view }: { model: TableModel; view: TableFragment }) {
  const { table } = words();
  const room = useRoom();
  // Who left the match goes on seeing it from the own side.
  const home = useRef<Seat>('S');
  home.current = view.mySeat ?? view.candidacy?.seat ?? home.current;
  const bottom = seatAfter(home.current, model.turns.value);
  const arranging = view.phase === 'ASSEMBLING' && view.mySeat !== null && view.myReady === false;
  const small = matchMedia('(max-width: 760px), (max-height: 520px)').matches;
  const region = useSignal<Region>(view.phase === 'ASSEMBLING' && small ? 'bottom' : 'all');
  useEffect(() => {
    if (view.phase !== 'ASSEMBLING') region.value = 'all';
  }, [view.phase]);
  /** The board that is looked back at; null for now. */
  const past = useSignal<Past | null>(null);
  const back = past.value;
  const seen = back ? back.seen(view) : view;
  /** The position of the piece that is being marked. */
  const marking = useSignal<string | null>(null);
  useTurnSeen(view);
  const selected = back ? null : model.selected.value;
  const busy = model.pending.value !== null;

  const movable = useMemo<ReadonlySet<string>>(() => {
    if (arranging) return new Set(view.board.map((piece) => piece.at));
    return new Set(back ? [] : view.legalMoves.map((moves) => moves.from));
  }, [view, arranging, back]);
  const targets = useMemo(() => {
    const found = new Map<string, Target>();
    if (!selected) return found;
    if (arranging) {
      const one = placedAt(view, selected);
      for (const piece of view.board) {
        const other = placedAt(view, piece.at);
        if (one && other && piece.at !== selected && maySwap(one, other)) found.set(piece.at, 'swap');
      }
    } else {
      for (const at of model.goals.value)
        found.set(at, view.board.some((piece) => piece.at === at) ? 'attack' : 'empty');
    }
    return found;
  }, [view, selected, arranging, model.goals.value]);

  useEffect(() => {
    // Where a picked piece can go is never out of sight.
    const regionOf = (seat: Seat | null | undefined) => (seat ? armOf(seat, bottom) : 'centre');
    if (!arranging && [...targets.keys()].some((at) => regionOf(nodeOf(at)?.seat) !== region.value))
      region.value = 'all';
  }, [selected]);

  const swap = async (a: string, b: string) => {
    const input = { a, b, expectedVersion: view.privateVersion ?? 0 };
    await model.run(SwapPiecesDocument, input, [a, b]);
    model.drop();
  };
  const pick = (at: string) => {
    if (back || busy) return;
    if (arranging && selected && selected !== at && movable.has(at)) void swap(selected, at);
    else if (movable.has(at) || targets.has(at)) model.pick(at);
    else if (
      view.phase === 'PLAYING' &&
      view.board.some((piece) => piece.at === at && piece.seat === view.mySeat)
    )
      model.wonder(at);
    else if (selected) model.drop();
    else if (mayMark(view, at)) marking.value = at;
  };
  const read = (what: 'targets' | 'last' | 'clock') =>
    void import('./aloud.ts').then(({ aloud }) => aloud(what, view, around)).catch(() => {});
  const around = {
    selected,
    chosen: model.chosen.value,
    targets,
    movable,
    arranging: view.phase === 'ASSEMBLING',
  };
  const voting = view.drawOffer || view.teamSurrender;
  const asks = voting && <VoteWaits view={view} />;
  const pieces = marked(back?.pieces ?? view.board, view.marks);
  const lastRoute = back ? back.route : (view.lastMove?.route ?? null);
  const walk = view.lastMove && !back ? { ...view.lastMove, key: `${view.lastMove.turn}` } : null;

  return (
    <div ref={room} class={`table ${view.phase.toLowerCase()}`}>
      <h1 class="unseen">{table.title(view.mySeat)}</h1>
      <div class="play">
        <Status view={seen} past={back !== null} />
        {settings.value.textBoard ? (
          <TextBoard view={seen} pieces={pieces} pick={pick} around={around} />
        ) : (
          <Stage
            bottom={bottom}
            region={region.value}
            onRegion={(one) => {
              region.value = one;
            }}
            pieces={pieces}
            selected={selected}
            chosen={back ? null : model.chosen.value}
            targets={targets}
            movable={movable}
            lastRoute={lastRoute}
            preview={back ? null : model.preview.value}
            walk={walk}
            pending={new Set(model.pending.value ?? [])}
            onPick={pick}
            onDrop={() => model.drop()}
            onDrag={arranging && !busy ? (from, to) => void swap(from, to) : undefined}
            onRead={read}
            describe={(at) => describe(at, pieces, view.mySeat, around)}
            card={(arm) => <SeatCard view={seen} seat={seatOn(arm, bottom)} />}
          />
        )}
      </div>
      <div class="bars">
        {view.mySeat && view.phase === 'ASSEMBLING' && <DeployBar model={model} view={view} />}
        {back && (
          <LookBar model={model} view={view} past={past}>
            {asks}
          </LookBar>
        )}
        {view.phase === 'PLAYING' && !back && (
          <PlayBar model={model} view={view} asks={asks}>
            {view.candidacy && <CandidateActions model={model} view={view} />}
          </PlayBar>
        )}
        {view.phase === 'ENDED' && !back && <EndBar view={view} />}
      </div>
      <aside class="panel" aria-label={table.actions}>
        {view.phase === 'ENDED' && <EndCard view={view} />}
        {view.candidacy && <CandidateBar view={view} />}
        {voting && <Votes model={model} view={view} />}
        <FirstHint view={view} />
        {view.phase !== 'ASSEMBLING' && (
          <LogPanel model={model} past={past}>
            {view.phase === 'ENDED' && view.role !== 'CANDIDATE' && <SaveReplay view={view} />}
          </LogPanel>
        )}
        {view.mySeat && view.phase !== 'ASSEMBLING' && <MyPieces view={seen} />}
        <FairDraw view={view} />
      </aside>
      {marking.value && (
        <MarkSheet
          model={model}
          view={view}
          at={marking.value}
          onClose={() => {
            marking.value = null;
          }}
        />
      )}
    </div>
  );
}
