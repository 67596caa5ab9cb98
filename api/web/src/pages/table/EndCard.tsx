// How the match ended, and the settlement.
import type { TableFragment } from '../../api/generated.ts';
import { aside } from '../../i18n/aside.ts';
import { fullMoment, signed, words } from '../../i18n/index.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import { endInWords } from './ending.ts';
import { nameThen } from './people.ts';
import '../../styles/ended.css';

/** The card of a finished match. */
export function EndCard({ view }: { view: TableFragment }) {
  const { end } = words().table;
  if (!view.outcome) return null;
  return (
    <section class="card ended">
      <h2>{endInWords(view.outcome, view.mySide)}</h2>
      {view.endedAt && <p class="quiet">{fullMoment(view.endedAt)}</p>}
      <table>
        <caption>{end.settlement}</caption>
        <tbody>
          {view.settlement.map((line) => (
            <tr key={`${line.seat}${line.person.player.id}`}>
              <td>
                <SeatBadge seat={line.seat} />
              </td>
              <td>
                {nameThen(line.person)}
                {line.person.joined === 'TAKEOVER' && <small class="tag">{end.takeover}</small>}
              </td>
              <td>{end.result[line.result]}</td>
              <td class="number">{signed(line.points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">{aside.words().dark}</p>
    </section>
  );
}
