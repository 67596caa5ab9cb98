// In place of a table that is not there, or not for this person any more.
import { aside } from '../../i18n/aside.ts';

/** Says so, and where to go; `candidate` for somebody who looked at a vacant seat. */
export function Gone({ candidate }: { candidate: boolean }) {
  const { gone, next } = aside.words();
  return (
    <div class="page narrow centred">
      <h1>{candidate ? gone.over : gone.notFound}</h1>
      <p class="quiet">{candidate ? gone.overHint : gone.notFoundHint}</p>
      <a class="button main" href="/lobby">
        {next.lobby}
      </a>
    </div>
  );
}
