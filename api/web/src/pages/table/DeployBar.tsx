// Arranging the own formation: random, files, the list kept in this browser, and being ready.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import {
  ArrangeFormationDocument,
  LeaveDocument,
  ReadyDocument,
  type TableFragment,
  UnreadyDocument,
} from '../../api/generated.ts';
import { newNonce } from '../../api/http.ts';
import { nodeId, nodeOf } from '../../board/nodes.ts';
import { isWhole, type Placed, randomFormation } from '../../formation/rules.ts';
import { exportFormation } from '../../formation/save.ts';
import { deploy } from '../../i18n/deploy.ts';
import { words } from '../../i18n/index.ts';
import { go } from '../../router.ts';
import { settings } from '../../settings.ts';
import { lazy } from '../../ui/lazy.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { confirm } from '../../ui/questions.ts';
import { say } from '../../ui/toasts.tsx';
import { brief } from './describe.ts';
import type { TableModel } from './model.ts';
import { placedAt } from './placed.ts';
import { TextSwitch } from './TextSwitch.tsx';

export { deploy };

const SavedFormations = lazy(() => import('./SavedFormations.tsx'), 'SavedFormations');

/** The bar under the board before the start. */
export function DeployBar({ model, view }: { model: TableModel; view: TableFragment }) {
  const { hints, leave } = words().table;
  const w = deploy.words();
  const picker = useRef<HTMLInputElement>(null);
  const listing = useSignal(false);
  const busy = model.pending.value !== null;
  const current = () => view.board.flatMap((piece) => placedAt(view, piece.at) ?? []);
  const expectedVersion = view.privateVersion ?? 0;

  const apply = async (pieces: readonly Placed[]) => {
    const seat = view.mySeat;
    if (!seat) return;
    if (!isWhole(pieces)) return say(w.counts, true);
    const formation = pieces.map(({ row, col, piece }) => ({
      at: nodeId(seat, row, col),
      piece: piece.toLowerCase(),
    }));
    if (await model.run(ArrangeFormationDocument, { formation, expectedVersion })) say(w.applied);
    model.drop();
  };
  const read = async (file: File | undefined) => {
    if (!file) return;
    const { pickFormation } = await import('../../formation/pick.ts');
    const pieces = await pickFormation(file);
    if (pieces) await apply(pieces);
  };
  const quit = async () => {
    if ((await confirm(w.leaveFree, leave)) && (await model.run(LeaveDocument, {}))) go('/lobby');
  };
  const ready = () => {
    model.drop();
    void model.run(ReadyDocument, { expectedVersion, nonce: newNonce() });
  };

  return (
    <>
      <div class="bar">
        <p class="hint">
          {view.myReady ? hints.arrangeReady : settings.value.textBoard ? w.hintText : w.hint}
        </p>
        {model.broken.value.length > 0 && (
          <div class="problem" role="alert">
            <p>{w.broken}</p>
            <ul>
              {model.broken.value.map(({ rule, at }) => (
                <li key={`${rule}${at}`}>{w.rule(rule, nodeOf(at) ? brief(at) : pieceName(at))}</li>
              ))}
            </ul>
          </div>
        )}
        <div class="row">
          {view.myReady ? (
            <button
              type="button"
              onClick={() => void model.run(UnreadyDocument, { expectedVersion })}
              disabled={busy}
            >
              {w.unready}
            </button>
          ) : (
            <>
              <button type="button" onClick={() => void apply(randomFormation())} disabled={busy}>
                {w.random}
              </button>
              <button type="button" onClick={() => (listing.value = true)} disabled={busy}>
                {w.saved}
              </button>
            </>
          )}
          <Menu label={words().table.more}>
            <TextSwitch />
            {!view.myReady && (
              <button type="button" title={w.importHint} onClick={() => picker.current?.click()}>
                {w.import}
              </button>
            )}
            <button type="button" onClick={() => exportFormation({ name: w.heading, pieces: current() })}>
              {w.export}
            </button>
            <button type="button" class="risky" onClick={quit}>
              {leave}
            </button>
          </Menu>
          {!view.myReady && (
            <button type="button" class="main wide" onClick={ready} disabled={busy}>
              {w.ready}
            </button>
          )}
        </div>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".json,.jql,.txt"
          aria-label={w.import}
          onChange={(event) => {
            void read(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </div>
      {listing.value && (
        <SavedFormations
          current={current()}
          onApply={(pieces) => {
            listing.value = false;
            void apply(pieces);
          }}
          onClose={() => (listing.value = false)}
        />
      )}
    </>
  );
}

function pieceName(code: string): string {
  const { names } = words().pieces;
  const piece = code.toUpperCase();
  return Object.hasOwn(names, piece) ? names[piece as keyof typeof names] : code;
}
