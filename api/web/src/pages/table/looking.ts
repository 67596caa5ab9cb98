// Going back and forth through the actions that a table tells of.
import type { Signal } from '@preact/signals';
import type { ActionFragment } from '../../api/generated.ts';
import { Fault } from '../../api/http.ts';
import { sayFault } from '../../ui/toasts.tsx';
import type { Past } from './lookback.ts';
import type { TableModel } from './model.ts';

const SILENT = new Set([
  'TURN_STARTED',
  'OPENED',
  'SEAT_VACATED',
  'SEAT_TAKEN',
  'READY',
  'READY_TAKEN_BACK',
  'SEAT_RELEASED',
]);

/** The board that is looked back at; null for now. */
export type Looking = Signal<Past | null>;

/** The actions that are told, oldest first. */
export const toldOf = (model: TableModel): readonly ActionFragment[] =>
  model.log.actions.value.filter((action) => !SILENT.has(action.kind));

/** Which of the told actions the board shows. */
export function hereIn(told: readonly ActionFragment[], { value }: Looking): number {
  return value === null ? told.length - 1 : told.findIndex((action) => action.version === value.version);
}

/** Reads every action; when some cannot be read it says so, and the board stays as it is. */
export async function whole(model: TableModel): Promise<boolean> {
  try {
    await model.log.all();
    return true;
  } catch (fault) {
    sayFault(fault);
    return false;
  }
}

/** Shows the board as it was after an action, and brings it into sight. */
export async function look(model: TableModel, past: Looking, version: number | undefined): Promise<void> {
  if (version === undefined || !(await whole(model))) return;
  const lookback = await import('./lookback.ts').catch(() => sayFault(new Fault('NETWORK')));
  const view = model.view.value;
  if (!lookback || !view) return;
  model.drop();
  const now = version === toldOf(model).at(-1)?.version;
  past.value = now ? null : lookback.boardAt(model.log.actions.value, version, view);
  document.querySelector('.play')?.scrollIntoView();
}

/** One action back or on. */
export async function step(model: TableModel, past: Looking, by: -1 | 1): Promise<void> {
  const told = toldOf(model);
  const at = told[hereIn(told, past)]?.version;
  if (!(await whole(model))) return;
  const all = toldOf(model);
  await look(model, past, all[all.findIndex((action) => action.version === at) + by]?.version);
}
