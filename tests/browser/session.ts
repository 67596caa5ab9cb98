// What a person's own session asks the API: the same cookie and origin as their page, and no page in between.
import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Dice } from './dice.ts';
import type { Person } from './people.ts';

/** A seat. */
export type Seat = 'S' | 'E' | 'N' | 'W';

/** A person at a table. */
export interface Seated extends Person {
  match: string;
  seat: Seat;
}

interface View {
  version: number;
  phase: string;
  mySeat: Seat | null;
  turn: { seat: Seat; kind: string } | null;
  board: { at: string; seat: Seat; identity: string | null }[];
  legalMoves: { from: string; to: string[] }[];
}

const VIEW =
  'version phase mySeat turn { seat kind } board { at seat identity faceDown } legalMoves { from to }';

/** Asks the API; faults fail the test. The answer is kept with what the person’s browser was sent. */
async function ask<T>({ page, received }: Person, query: string, variables: object): Promise<T> {
  const { origin } = new URL(page.url());
  const answer = await page.context().request.post(`${origin}/graphql`, {
    headers: { origin, accept: 'application/json' },
    data: { query, variables },
  });
  const text = await answer.text();
  received.push(text);
  const { data, errors } = JSON.parse(text) as { data: T; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

/** Takes up where a person sits: the table of their page, and their seat at it. */
export async function seated(one: Person): Promise<Seated> {
  const match = new URL(one.page.url()).pathname.replace('/table/', '');
  const { mySeat } = await viewOf({ ...one, match });
  if (!mySeat) throw new Error(`${one.name} sits nowhere`);
  return { ...one, match, seat: mySeat };
}

/** What the server shows a person of their table. */
export async function viewOf(one: Omit<Seated, 'seat'>): Promise<View> {
  const query = `query($id: ID!) { match(id: $id) { ${VIEW} } }`;
  return (await ask<{ match: View }>(one, query, { id: one.match })).match;
}

/** Who is on turn, once their page says so. */
export async function onTurn(people: readonly Seated[]): Promise<Seated> {
  const { turn } = await viewOf(people[0] as Seated);
  const one = people.find(({ seat }) => seat === turn?.seat);
  if (!one) throw new Error(`nobody here is on turn: ${JSON.stringify(turn)}`);
  await expect(one.page.locator('.status.own')).toBeVisible();
  return one;
}

/**
 * Moves by chance through the API, each of whoever is on turn; rather an attack, and never into a headquarters, so that
 * nobody falls by accident.
 */
export async function playBySession(people: readonly Seated[], dice: Dice, plies = 1): Promise<void> {
  let { turn } = await viewOf(people[0] as Seated);
  for (let i = 0; i < plies; i += 1) {
    const one = people.find(({ seat }) => seat === turn?.seat);
    if (!one) throw new Error(`nobody here is on turn: ${JSON.stringify(turn)}`);
    turn = await move(one, dice);
  }
}

async function move(one: Seated, dice: Dice): Promise<View['turn']> {
  const { board, legalMoves, version } = await viewOf(one);
  const taken = new Set(board.map((piece) => piece.at));
  const moves = legalMoves
    .flatMap(({ from, to }) => to.map((goal) => ({ from, to: goal })))
    .filter(({ to }) => !/^[senw]6[24]$/.test(to));
  const attacks = moves.filter(({ to }) => taken.has(to));
  const among = attacks.length > 0 && dice(10) < 6 ? attacks : moves;
  const chosen = among[dice(among.length)];
  const query = `mutation($input: MoveInput!) { move(input: $input) { match { ${VIEW} } userErrors { code } } }`;
  const input = { ...chosen, matchId: one.match, expectedVersion: version, idempotencyKey: randomUUID() };
  interface Answer {
    move: { match: View; userErrors: { code: string }[] };
  }
  const { move: answer } = await ask<Answer>(one, query, { input });
  expect(answer.userErrors, one.name).toEqual([]);
  return answer.match.turn;
}

/** The kinds that the table's list of actions leaves out. */
const SILENT = /^(TURN_STARTED|OPENED|SEAT_VACATED|SEAT_TAKEN|READY|READY_TAKEN_BACK|SEAT_RELEASED)$/;

/** How many actions the table's list must have. */
export async function toldActions(one: Seated): Promise<number> {
  interface Page {
    match: {
      actions: { edges: { node: { kind: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    };
  }
  const query = `query($id: ID!, $after: String) { match(id: $id) { mySeat actions(first: 100, after: $after) {
    edges { node { kind } } pageInfo { hasNextPage endCursor } } } }`;
  let told = 0;
  let after: string | null = null;
  for (;;) {
    const { match }: Page = await ask<Page>(one, query, { id: one.match, after });
    told += match.actions.edges.filter(({ node }) => !SILENT.test(node.kind)).length;
    if (!match.actions.pageInfo.hasNextPage) return told;
    after = match.actions.pageInfo.endCursor;
  }
}
