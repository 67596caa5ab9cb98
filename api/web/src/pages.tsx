// Which page a path has. A table's first visit loads nothing of the other pages, so these are a part of their own.
import { Fragment, type VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { speakPages, words } from './i18n/index.ts';
import { go, path } from './router.ts';
import { refresh, unreachable, viewer, wanted } from './session.ts';
import { lazy } from './ui/lazy.tsx';

/** What is shown while a page is on its way. */
export const loading = () => <p class="page quiet loading">{words().common.loading}</p>;

const others = () => import('./pages/others.tsx');
const Table = lazy(() => import('./pages/table/TablePage.tsx'), 'TablePage', undefined, loading);
const Other = lazy(others, 'Other', speakPages, loading);

/** Loads the other pages' part ahead, beside the words. */
export function ahead(): void {
  if (!path.peek().startsWith('/table/')) void others();
}

/** Shows a page to those who are logged in, to each their own; others are asked to log in first. */
export function Members({ children }: { children: VNode }) {
  const { common } = words();
  const nobody = viewer.value === null;
  useEffect(() => {
    if (!nobody) return;
    wanted.value = path.peek();
    go('/login', true);
  }, [nobody]);
  if (viewer.value) return <Fragment key={viewer.value.player.id}>{children}</Fragment>;
  if (!unreachable.value) return loading();
  return (
    <div class="page narrow centred">
      <button type="button" onClick={() => void refresh()}>
        {common.retry}
      </button>
    </div>
  );
}

/** The page of a path. */
export function pageOf(at: string): VNode {
  const id = /^\/table\/([^/]+)/.exec(at)?.[1];
  if (!id) return <Other at={at} />;
  return (
    <Members>
      <Table key={id} id={id} />
    </Members>
  );
}
