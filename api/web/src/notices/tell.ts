// A notice in words, where it leads, and what names it once for a person: nothing here shows or sends anything.
import type { NoticeLineFragment } from '../api/generated.ts';
import { moment, pageWords } from '../i18n/index.ts';

/** A notice in one sentence. */
export function inWords({ kind, deadline }: NoticeLineFragment): string {
  const { kinds, until } = pageWords().notices;
  const text = kinds[kind];
  return deadline ? `${text}${until(moment(deadline))}` : text;
}

/** Where a notice leads: its table, or nowhere. */
export const wayOf = ({ matchId }: NoticeLineFragment): string | null =>
  matchId ? `/table/${matchId}` : null;

/** What makes a notice one and the same for a person: kind, turn and deadline. */
export const nameOf = (player: string, { kind, matchId, turn, deadline }: NoticeLineFragment): string =>
  [player, kind, matchId, turn, deadline].join('/');
