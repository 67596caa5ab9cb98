// A component that is loaded when it is first shown.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Wraps the loading of a component; `waiting` is shown until it is there. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting: () => JSX.Element | null = () => null,
): ComponentType<P> {
  let found: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [Shown, show] = useState<ComponentType<P> | null>(() => found);
    useEffect(() => {
      if (Shown) return;
      void load().then((loaded) => {
        found = loaded;
        show(() => loaded);
      });
    }, []);
    return Shown ? <Shown {...props} /> : waiting();
  };
}
