// Names of people at a table.
import type { TableFragment, WhoFragment } from '../../api/generated.ts';
import { words } from '../../i18n/index.ts';
import { viewer } from '../../session.ts';

/** The name of whoever sits in a seat now. */
export function personName(card: TableFragment['seats'][number], mine = false): string {
  if (mine && !card.person) return viewer.value?.player.nickname ?? words().table.you;
  if (!card.person) return words().table.vacant;
  return card.person.player.nickname ?? words().common.erased;
}

/** The name that a person had when taking the seat; house players are said to be some. */
export function nameThen({ nicknameThen, house }: WhoFragment): string {
  const { common } = words();
  return `${nicknameThen ?? common.erased}${house ? ` · ${common.house}` : ''}`;
}
