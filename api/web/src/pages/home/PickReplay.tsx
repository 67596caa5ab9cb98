// Importing a replay from the first page: the file goes to the viewer, and nowhere else.
import { useRef } from 'preact/hooks';
import { pageWords } from '../../i18n/index.ts';
import { leavePicked } from '../../replay/picked.ts';
import { go } from '../../router.ts';

/** The button that picks a file. */
export function PickReplay() {
  const { home } = pageWords();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div>
      <button type="button" onClick={() => picker.current?.click()}>
        {home.pick}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={home.pick}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (!file) return;
          leavePicked(file);
          go('/replay');
        }}
      />
    </div>
  );
}
