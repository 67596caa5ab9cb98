// A component that is loaded when it is first shown.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

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
    useEffect(() => {
      if (Shown) return;
      const fetch = (): unknown =>
        Promise.all([load(), words()]).then(
          ([module]) => {
            found = module[name] as ComponentType<P>;
            show(() => found);
          },
          () => addEventListener('online', fetch, { once: true }),
        );
      fetch();
    }, []);
    return Shown ? <Shown {...props} /> : waiting();
  };
}
