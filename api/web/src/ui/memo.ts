// A component that renders again only when its comparison says so (Preact's core has no memo of its own).
import { Component, type ComponentType, createElement, type FunctionComponent } from 'preact';

/** Wraps a component; `same` compares the old properties with the new ones. */
export function memo<P extends object>(
  inner: FunctionComponent<P>,
  same: (before: P, after: P) => boolean,
): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(after: P): boolean {
      return !same(this.props as P, after);
    }
    render() {
      return createElement(inner, this.props as P);
    }
  };
}
