import { type PointerEvent as Press, type RefObject, useEffect, useRef, useState } from 'react';

/** Where a dragged photograph would go. */
interface Drag {
  id: string;
  to: number;
}

/** So far, in CSS pixels, a press may wander without being a drag. */
const SLACK = 6;

/**
 * Dragging within a list whose items carry `data-photo`: by mouse anywhere on the picture, by finger at the grip. Escape
 * and a lost pointer leave everything as it was.
 */
export function useReorder(list: RefObject<HTMLElement | null>, onMove: (id: string, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const letGo = useRef<() => void>(() => undefined);
  const moveTo = useRef(onMove);
  moveTo.current = onMove;
  useEffect(() => () => letGo.current(), []);

  function press(id: string, event: Press) {
    const { pointerId, clientX, clientY } = event;
    let latest: Drag | null = null;
    // On the window: the item itself moves within the page while it is dragged.
    const controller = new AbortController();
    const end = () => {
      controller.abort();
      setDrag(null);
    };
    letGo.current();
    letGo.current = end;
    const on = <Kind extends keyof WindowEventMap>(kind: Kind, act: (event: WindowEventMap[Kind]) => void) =>
      addEventListener(kind, act, { signal: controller.signal });
    on('pointermove', (moved) => {
      if (moved.pointerId !== pointerId) return;
      const far = Math.hypot(moved.clientX - clientX, moved.clientY - clientY) > SLACK;
      if (!latest && !far) return;
      const to = placeAt(list.current, moved.clientX, moved.clientY);
      latest = { id, to: to ?? latest?.to ?? placeOf(list.current, id) };
      setDrag(latest);
    });
    on('pointerup', (up) => {
      if (up.pointerId !== pointerId) return;
      end();
      if (latest) moveTo.current(latest.id, latest.to);
    });
    on('pointercancel', end);
    on('keydown', ({ key }) => {
      if (key === 'Escape') end();
    });
  }

  return {
    drag,
    handlers: (id: string, { byFinger }: { byFinger: boolean }) => ({
      onPointerDown(event: Press) {
        if (event.button !== 0 || (event.pointerType !== 'mouse' && !byFinger)) return;
        // A picture would be dragged out of the page as a file.
        event.preventDefault();
        press(id, event);
      },
    }),
  };
}

const items = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('[data-photo]') ?? [])];
const placeOf = (list: HTMLElement | null, id: string) =>
  items(list).findIndex(({ dataset }) => dataset.photo === id);

/** The place of the item under a point; null beside all of them. */
function placeAt(list: HTMLElement | null, x: number, y: number): number | null {
  const place = items(list).findIndex((item) => {
    const box = item.getBoundingClientRect();
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  });
  return place < 0 ? null : place;
}
