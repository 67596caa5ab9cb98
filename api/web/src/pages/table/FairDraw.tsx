// The promise of a fair draw that was made when the table opened.
import type { TableFragment } from '../../api/generated.ts';
import { aside } from '../../i18n/aside.ts';

/** The sealed seed's fingerprint. */
export function FairDraw({ view }: { view: TableFragment }) {
  const { fair, fairText } = aside.words();
  return (
    <details class="card fair">
      <summary>{fair}</summary>
      <p>{fairText}</p>
      <code>{view.commitment}</code>
    </details>
  );
}
