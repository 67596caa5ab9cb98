// The replay viewer: a file of the own device, read and checked here and sent nowhere.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { pageWords } from '../../i18n/index.ts';
import { FileFault, MOST_BYTES, type ReplayFile } from '../../replay/format.ts';
import { type Played, play } from '../../replay/frames.ts';
import { takePicked } from '../../replay/picked.ts';
import { readReplay } from '../../replay/read.ts';
import { unreachable } from '../../session.ts';
import { isolated } from '../../ui/isolate.ts';
import { useTitle } from '../../ui/title.ts';
import '../../styles/board.css';
import '../../styles/replay.css';
import '../../styles/table.css';
import '../../styles/playing.css';
import { named } from './tell.ts';
import { Viewer } from './Viewer.tsx';
import '../../styles/forms.css';

/** The page of replays. */
export function ReplayPage() {
  const { replay } = pageWords();
  useTitle(replay.heading);
  const opened = useSignal<{ key: number; name: string; file: ReplayFile; played: Played } | null>(null);
  const problem = useSignal<string | null>(null);
  const over = useSignal(false);
  const picker = useRef<HTMLInputElement>(null);

  const open = async (picked: File | undefined) => {
    if (!picked) return;
    try {
      if (picked.size > MOST_BYTES) throw new FileFault('TOO_LARGE');
      const file = readReplay(new Uint8Array(await picked.arrayBuffer()));
      // Another file begins anew, whatever its name is.
      const key = (opened.peek()?.key ?? 0) + 1;
      opened.value = { key, name: picked.name, file, played: play(file) };
      problem.value = null;
    } catch (fault) {
      if (!(fault instanceof FileFault)) throw fault;
      const { code, where } = fault;
      problem.value = replay.fault[code](code === 'TOO_MANY' ? named(where) : where && isolated(where));
    }
  };
  useEffect(() => {
    void open(takePicked());
    const stop = (event: DragEvent) => event.preventDefault();
    const drop = (event: DragEvent) => {
      event.preventDefault();
      over.value = false;
      void open(event.dataTransfer?.files[0]);
    };
    addEventListener('dragover', stop);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', stop);
      removeEventListener('drop', drop);
    };
  }, []);

  const input = (
    <input
      ref={picker}
      type="file"
      hidden
      accept=".json,application/json"
      aria-label={replay.open}
      onChange={(event) => {
        void open(event.currentTarget.files?.[0]);
        event.currentTarget.value = '';
      }}
    />
  );
  const choose = () => picker.current?.click();
  if (opened.value) {
    const { key, ...shown } = opened.value;
    return (
      <>
        {input}
        <Viewer key={key} {...shown} problem={problem.value} onAnother={choose} />
      </>
    );
  }
  return (
    <div class="page narrow">
      <h1>{replay.heading}</h1>
      {input}
      <section
        class={`card drop ${over.value ? 'over' : ''}`}
        onDragEnter={() => (over.value = true)}
        onDragLeave={(event) => {
          if (event.currentTarget === event.target) over.value = false;
        }}
      >
        <p>{replay.intro}</p>
        {unreachable.value && <p role="status">{replay.offline}</p>}
        <button type="button" class="main big" onClick={choose}>
          {replay.open}
        </button>
        <p class="quiet">{replay.drop}</p>
        {problem.value && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <p class="quiet">{replay.formats}</p>
      </section>
    </div>
  );
}
