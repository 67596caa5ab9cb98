// A component that is loaded when it is first shown. When it cannot be loaded, its place says so and offers a retry; one
// that can be closed is closed instead, so that whoever opened it can do so again.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { words as core } from '../i18n/index.ts';

/** What a loaded component takes. */
type PropsOf<C> = C extends (props: infer P) => unknown ? (P extends object ? P : object) : never;

/**
 * The component of that name in a module; `words` are loaded along with it, and `waiting` is shown until both are
 * there.
 */
export function lazy<M, N extends keyof M>(
  load: () => Promise<M>,
  name: N,
  words: () => unknown = () => {},
  waiting: () => JSX.Element | null = () => null,
): ComponentType<PropsOf<M[N]>> {
  type P = PropsOf<M[N]>;
  let found: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [Shown, show] = useState<ComponentType<P> | null>(() => found);
    const [failed, fail] = useState(false);
    const fetch = (): unknown =>
      found ||
      Promise.all([load(), words()]).then(
        ([module]) => {
          found = module[name] as ComponentType<P>;
          show(() => found);
        },
        () => {
          const { onClose } = props as { onClose?: () => void };
          if (onClose) onClose();
          else fail(true);
        },
      );
    useEffect(() => {
      if (Shown) return;
      fetch();
      addEventListener('online', fetch);
      return () => removeEventListener('online', fetch);
    }, []);
    if (Shown) return <Shown {...props} />;
    if (!failed) return waiting();
    const { unreachable, retry } = core().common;
    return (
      <p class="page narrow" role="alert">
        {unreachable}{' '}
        <button type="button" onClick={fetch}>
          {retry}
        </button>
      </p>
    );
  };
}
