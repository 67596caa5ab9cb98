// The settlement of a finished match, from a file; who left before the end stands below, with what it cost.
import { signed, words } from '../../i18n/index.ts';
import type { ReplayFile } from '../../replay/format.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import '../../styles/ended.css';
import { leavers } from './tell.ts';

/** A table of points. */
export function Settlement({ file, caption }: { file: ReplayFile; caption: string }) {
  const { end, log } = words().table;
  const result = (of: string) => {
    const code = of.toUpperCase();
    return Object.hasOwn(end.result, code) ? end.result[code as keyof typeof end.result] : '';
  };
  const lines = [
    ...file.settlement.map((line) => ({ ...line, result: result(line.result) })),
    ...leavers(file).map((line) => ({ ...line, result: log.actions[line.why] })),
  ];
  if (lines.length === 0) return null;
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {lines.map((line, i) => (
          <tr key={i}>
            <td>
              <SeatBadge seat={line.seat} />
            </td>
            <td>
              <bdi>{line.nickname ?? words().common.erased}</bdi>
              {line.house && ` · ${words().common.house}`}
              {line.takeover && <small class="tag">{end.takeover}</small>}
            </td>
            <td>{line.result}</td>
            <td class="number">{signed(line.points)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
