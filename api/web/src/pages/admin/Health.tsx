// How the site does: read models and their lag, mails that wait, deadlines that are late.
import type { ReadAdminQuery } from '../../api/generated.ts';
import { admin } from '../../i18n/admin.ts';
import { fullMoment } from '../../i18n/index.ts';

interface Props {
  now: NonNullable<ReadAdminQuery['admin']>;
  onRefresh: () => void;
}

/** The figures of now. */
export function Health({ now: { projections, mailQueue, lateness }, onRefresh }: Props) {
  const w = admin.words().health;
  const figures: [string, string | number][] = [
    [w.waiting, mailQueue.waiting],
    [w.delayed, mailQueue.delayed],
    [w.oldest, mailQueue.oldestAt ? fullMoment(mailQueue.oldestAt) : w.none],
    [w.sent, mailQueue.sentLastDay],
    [w.failed, mailQueue.failedLastDay],
    [w.overdue, lateness.overdueDeadlines],
    [w.latest, w.seconds(lateness.latestSeconds)],
  ];
  return (
    <section class="card">
      <div class="row between">
        <h2>{w.heading}</h2>
        <button type="button" onClick={onRefresh}>
          {w.refresh}
        </button>
      </div>
      <dl class="figures">
        {figures.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <div class="wide-table" role="region" tabIndex={0} aria-label={w.projections}>
        <table>
          <caption>{w.projections}</caption>
          <thead>
            <tr>
              <th scope="col">{w.name}</th>
              <th scope="col">{w.state}</th>
              <th scope="col">{w.position}</th>
              <th scope="col">{w.lag}</th>
            </tr>
          </thead>
          <tbody>
            {projections.map(({ name, state, fault, position, lag, lagSeconds }) => (
              <tr key={name}>
                <th scope="row">
                  {name.split('_').flatMap((part, i) => (i ? ['_', <wbr key={i} />, part] : part))}
                </th>
                <td class={fault ? 'problem' : undefined}>
                  {fault ? `${w.states[state]}: ${fault}` : w.states[state]}
                </td>
                <td>{position}</td>
                <td>
                  {lag} · {w.seconds(lagSeconds)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
