// What a player has earned, as a list of figures.
import type { StatisticsFragment } from '../../api/generated.ts';
import { plain } from '../../i18n/index.ts';
import { people } from '../../i18n/people.ts';

const SHOWN = [
  'points',
  'matches',
  'wins',
  'losses',
  'draws',
  'noResults',
  'takeovers',
  'leaves',
  'timeouts',
] as const;

/** The figures of a period. */
export function Figures({ of }: { of: StatisticsFragment }) {
  const w = people.words();
  return (
    <dl class="figures">
      {SHOWN.map((name) => (
        <div key={name}>
          <dt>{w[name]}</dt>
          <dd>{plain(of[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
