// The manual: contents, then the sections in the language of now.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { language, pageWords } from '../../i18n/index.ts';
import type { Block, Section } from '../../manual/blocks.ts';
import { loading } from '../../pages.tsx';
import type { Language } from '../../settings.ts';
import { useLoad } from '../../ui/load.ts';
import { useTitle } from '../../ui/title.ts';
import '../../styles/manual.css';

const LOAD: Record<Language, () => Promise<{ default: Section[] }>> = {
  'zh-Hans': () => import('../../manual/zh-Hans.ts'),
  'zh-Hant': () => import('../../manual/zh-Hant.ts'),
  en: () => import('../../manual/en.ts'),
};

/** The page of the manual. */
export function ManualPage() {
  const { manual } = pageWords();
  useTitle(manual.heading);
  const sections = useSignal<Section[]>([]);
  /** The language of the sections. */
  const shown = useSignal<Language | null>(null);
  const tongue = language.value;
  useLoad(
    () =>
      LOAD[tongue]().then(
        (loaded) => {
          sections.value = loaded.default;
          shown.value = tongue;
        },
        () => {},
      ),
    () => shown.peek() !== tongue,
    [tongue],
  );
  useEffect(() => {
    if (sections.value.length && location.hash)
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [sections.value.length]);
  // Contents and text come together: nothing moves under the reader.
  if (sections.value.length === 0) return loading();
  return (
    <div class="page manual">
      <h1>{manual.heading}</h1>
      <nav class="contents" aria-label={manual.contents}>
        <ol>
          {sections.value.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <article>
        {sections.value.map(({ id, title, body }) => (
          <section key={id} id={id}>
            <h2>{title}</h2>
            {body.map((block, i) => (
              <Part key={i} block={block} />
            ))}
          </section>
        ))}
      </article>
    </div>
  );
}

function Part({ block }: { block: Block }) {
  if (typeof block === 'string') return <p>{block}</p>;
  if ('steps' in block) {
    return (
      <ol class="numbered">
        {block.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    );
  }
  if ('list' in block) {
    return (
      <ul>
        {block.list.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    );
  }
  return (
    <dl>
      {block.facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
