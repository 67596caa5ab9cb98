// The way of the last move, walked once: the piece follows the route, then what the server says is gone fades.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pathThrough } from './lines.ts';
import type { Shown } from './pieces.ts';
import type { View } from './tracks.ts';

const WALK_MS = 450;
const FRAMES = 24;

/** A move to show: a new `key` starts it. */
export interface Walk {
  readonly key: string;
  readonly handle: string;
  readonly route: readonly string[];
}

const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

function walk(element: SVGElement, route: readonly string[], view: View): void {
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', pathThrough(route, view));
  const length = line.getTotalLength();
  const frames = Array.from({ length: FRAMES + 1 }, (_, i) => {
    const at = line.getPointAtLength((length * i) / FRAMES);
    return { transform: `translate(${at.x}px, ${at.y}px)` };
  });
  element.animate(frames, { duration: WALK_MS, easing: 'ease-in-out' });
}

/**
 * Starts the walk when its key changes, and gives the pieces that have just left the board, so that they can fade.
 * A newer snapshot ends an older walk.
 */
export function useWalk(
  layer: { readonly current: SVGGElement | null },
  pieces: readonly Shown[],
  step: Walk | null,
  view: View,
): readonly Shown[] {
  const before = useRef<{ key: string | null; pieces: readonly Shown[] }>({ key: step?.key ?? null, pieces });
  const [ghosts, setGhosts] = useState<readonly Shown[]>([]);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { key: step?.key ?? null, pieces };
    if (!step || last.key === step.key || last.key === null || still()) return;
    const here = new Set(pieces.map((piece) => piece.handle));
    const to = step.route.at(-1) ?? '';
    const gone = last.pieces
      .filter((piece) => !here.has(piece.handle))
      .map((piece) => (piece.handle === step.handle ? { ...piece, at: to } : piece));
    setGhosts(gone);
    requestAnimationFrame(() => {
      const element = layer.current?.querySelector<SVGElement>(`[data-handle="${step.handle}"]`);
      if (element && typeof element.animate === 'function') walk(element, step.route, view);
    });
  }, [step?.key, pieces]);
  // Their time is their own: a snapshot of the same step must not keep them.
  useEffect(() => {
    if (ghosts.length === 0) return;
    const timer = setTimeout(() => setGhosts([]), WALK_MS + 260);
    return () => clearTimeout(timer);
  }, [ghosts]);
  return ghosts;
}
