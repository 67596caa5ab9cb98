// Dragging a piece to another position. A second finger ends the drag: pinching must never move a piece.
import { useRef, useState } from 'preact/hooks';
import { nearest, type Point, type View } from './tracks.ts';

const THRESHOLD = 6;

/** What a board needs for dragging. */
export interface Drag {
  /** The piece under way. */
  from: string | null;
  /** Where the finger is, in the picture. */
  at: Point;
  /** The position under the finger. */
  over: string | null;
  /** Whether the click that follows belongs to a drag; asks once. */
  justDropped: () => boolean;
  /** The picture's point of a mouse event. */
  toPicture: (event: { clientX: number; clientY: number }) => Point;
  handlers: Record<string, (event: PointerEvent) => void>;
}

/** Follows pointers on the board. */
export function useDrag(
  svg: { readonly current: SVGSVGElement | null },
  view: View,
  draggable: ReadonlySet<string>,
  onDrag: ((from: string, to: string) => void) | undefined,
): Drag {
  const start = useRef<{ id: number; at: string; x: number; y: number } | null>(null);
  const dropped = useRef(false);
  const [state, setState] = useState<{ from: string; at: Point; over: string | null } | null>(null);

  const toPicture = (event: { clientX: number; clientY: number }): Point => {
    const matrix = svg.current?.getScreenCTM()?.inverse();
    if (!matrix) return { x: 0, y: 0 };
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x, y };
  };
  const cancel = () => {
    start.current = null;
    setState(null);
  };
  const down = (event: PointerEvent) => {
    dropped.current = false;
    if (!onDrag) return;
    if (!event.isPrimary) return cancel();
    const at = (event.target as Element).closest<SVGElement>('[data-at]')?.dataset.at;
    if (at && draggable.has(at) && event.button === 0) {
      start.current = { id: event.pointerId, at, x: event.clientX, y: event.clientY };
    }
  };
  const move = (event: PointerEvent) => {
    const from = start.current;
    if (!from || event.pointerId !== from.id) return;
    const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > THRESHOLD;
    if (!state && !far) return;
    if (!state) svg.current?.setPointerCapture(event.pointerId);
    const at = toPicture(event);
    setState({ from: from.at, at, over: nearest(at, draggable, view, 0) });
  };
  const up = (event: PointerEvent) => {
    const from = start.current;
    if (!from || event.pointerId !== from.id) return;
    if (state) {
      dropped.current = true;
      const over = nearest(toPicture(event), draggable, view, 12);
      if (over && over !== state.from) onDrag?.(state.from, over);
    }
    cancel();
  };
  return {
    from: state?.from ?? null,
    at: state?.at ?? { x: 0, y: 0 },
    over: state?.over ?? null,
    justDropped: () => {
      const was = dropped.current;
      dropped.current = false;
      return was;
    },
    toPicture,
    handlers: { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: cancel },
  };
}
