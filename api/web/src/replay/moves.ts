// Where a piece can go and which way it takes.
import { nodeOf, type Piece, type Seat, sideOf } from '../board/nodes.ts';
import { BY_ANY, BY_RAIL, LINES_AT } from './graph.ts';

/** A piece of a replay; its identity may be unknown. */
export interface Unit {
  readonly handle: string;
  readonly seat: Seat;
  readonly piece: Piece | null;
}

/** Pieces by position. */
export type Field = ReadonlyMap<string, Unit>;

const kindOf = (at: string) => nodeOf(at)?.kind;

function mayEnter(field: Field, unit: Unit, to: string): boolean {
  const met = field.get(to);
  if (!met) return true;
  return sideOf(met.seat) !== sideOf(unit.seat) && kindOf(to) !== 'camp';
}

/** Whether a piece at a position can move at all. */
function canMove(unit: Unit, at: string): boolean {
  return unit.piece !== 'FLAG' && unit.piece !== 'MINE' && kindOf(at) !== 'headquarters';
}

/** Every position that a piece can go to, each with its route. */
export function routesFrom(field: Field, from: string): Map<string, string[]> {
  const unit = field.get(from);
  const routes = new Map<string, string[]>();
  if (!unit || !canMove(unit, from)) return routes;
  for (const to of BY_ANY.get(from) ?? []) {
    if (mayEnter(field, unit, to)) routes.set(to, [from, to]);
  }
  if (unit.piece === 'ENGINEER') fly(field, unit, from, routes);
  else slide(field, unit, from, routes);
  return routes;
}

function slide(field: Field, unit: Unit, from: string, routes: Map<string, string[]>): void {
  for (const { line, at } of LINES_AT.get(from) ?? []) {
    for (const by of [-1, 1]) {
      const route = [from];
      for (let i = at + by; i >= 0 && i < line.length; i += by) {
        const to = line[i] as string;
        route.push(to);
        if (!routes.has(to) && mayEnter(field, unit, to)) routes.set(to, [...route]);
        if (field.has(to)) break;
      }
    }
  }
}

function fly(field: Field, unit: Unit, from: string, routes: Map<string, string[]>): void {
  const parents = new Map<string, string | null>([[from, null]]);
  const queue = [from];
  for (const here of queue) {
    for (const to of BY_RAIL.get(here) ?? []) {
      if (parents.has(to)) continue;
      parents.set(to, here);
      if (!routes.has(to) && mayEnter(field, unit, to)) routes.set(to, trace(parents, to));
      if (!field.has(to)) queue.push(to);
    }
  }
}

function trace(parents: ReadonlyMap<string, string | null>, to: string): string[] {
  const route: string[] = [];
  for (let at: string | null | undefined = to; at; at = parents.get(at)) route.unshift(at);
  return route;
}

/** Whether a seat has any move. */
export function hasMove(field: Field, seat: Seat): boolean {
  for (const [at, unit] of field) {
    if (unit.seat === seat && routesFrom(field, at).size > 0) return true;
  }
  return false;
}
