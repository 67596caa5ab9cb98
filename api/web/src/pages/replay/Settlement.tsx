// The settlement of a finished match, from a file.
import { signed, words } from '../../i18n/index.ts';
import type { Settled } from '../../replay/format.ts';
import { SeatBadge } from '../../ui/SeatBadge.tsx';
import '../../styles/ended.css';

/** A table of points. */
export function Settlement({ lines, caption }: { lines: readonly Settled[]; caption: string }) {
  const { end } = words().table;
  if (lines.length === 0) return null;
  return (
    <table>
      <caption>{caption}</caption>
      <tbody>
        {lines.map((line, i) => {
          const result = line.result.toUpperCase();
          return (
            <tr key={i}>
              <td>
                <SeatBadge seat={line.seat} />
              </td>
              <td>
                {line.nickname ?? words().common.erased}
                {line.house && ` · ${words().common.house}`}
                {line.takeover && <small class="tag">{end.takeover}</small>}
              </td>
              <td>
                {Object.hasOwn(end.result, result) ? end.result[result as keyof typeof end.result] : ''}
              </td>
              <td class="number">{signed(line.points)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
