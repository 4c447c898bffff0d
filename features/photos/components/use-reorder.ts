import { type PointerEvent as Press, type RefObject, useEffect, useRef, useState } from 'react';

/** The dragged photo and its target index. */
interface Drag {
  id: string;
  to: number;
}

/** CSS pixels that a press may move before it becomes a drag. */
const DRAG_THRESHOLD_PX = 6;

/**
 * Drag and drop within a list whose items carry `data-photo`: with the mouse anywhere on the picture, on touch
 * devices by the grip. Escape or a cancelled pointer aborts.
 */
export function useReorder(list: RefObject<HTMLElement | null>, onMove: (id: string, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const endDrag = useRef<() => void>(() => undefined);
  const onMoveRef = useRef(onMove);
  onMoveRef.current = onMove;
  useEffect(() => () => endDrag.current(), []);

  function startDrag(id: string, event: Press) {
    const { pointerId, clientX, clientY } = event;
    let latest: Drag | null = null;
    // On the window, since the item itself moves in the DOM during the drag.
    const controller = new AbortController();
    const end = () => {
      controller.abort();
      setDrag(null);
    };
    endDrag.current();
    endDrag.current = end;
    const listen = <Kind extends keyof WindowEventMap>(
      kind: Kind,
      act: (event: WindowEventMap[Kind]) => void,
    ) => addEventListener(kind, act, { signal: controller.signal });
    listen('pointermove', (moved) => {
      if (moved.pointerId !== pointerId) return;
      const far = Math.hypot(moved.clientX - clientX, moved.clientY - clientY) > DRAG_THRESHOLD_PX;
      if (!latest && !far) return;
      const to = indexAt(list.current, moved.clientX, moved.clientY);
      latest = { id, to: to ?? latest?.to ?? indexOfPhoto(list.current, id) };
      setDrag(latest);
    });
    listen('pointerup', (up) => {
      if (up.pointerId !== pointerId) return;
      end();
      if (latest) onMoveRef.current(latest.id, latest.to);
    });
    listen('pointercancel', end);
    listen('keydown', ({ key }) => {
      if (key === 'Escape') end();
    });
  }

  return {
    drag,
    handlers: (id: string, { byFinger }: { byFinger: boolean }) => ({
      onPointerDown(event: Press) {
        if (event.button !== 0 || (event.pointerType !== 'mouse' && !byFinger)) return;
        // Prevents the browser's native drag of the picture.
        event.preventDefault();
        startDrag(id, event);
      },
    }),
  };
}

const items = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-photo]') ?? [])];
const indexOfPhoto = (list: HTMLElement | null, id: string) =>
  items(list).findIndex(({ dataset }) => dataset.photo === id);

/** Index of the item under a point; null if there is none. */
function indexAt(list: HTMLElement | null, x: number, y: number): number | null {
  const place = items(list).findIndex((item) => {
    const box = item.getBoundingClientRect();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  });
  return place < 0 ? null : place;
}
