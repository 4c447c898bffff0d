import { useRef, useState } from 'react';

/**
 * Which picture of a scroll-snapping row is shown, and how to show another one.
 * @param count how many there are
 * @param first the one that is shown at first, from 0; the caller scrolls to it
 */
export function useSlides(count: number, first = 0) {
  const track = useRef<HTMLDivElement>(null);
  const settleTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** target of the last click, until it is reached or the user scrolls */
  const targetIndex = useRef<number | null>(null);
  const [at, setAt] = useState(first);

  const go = (to: number) => {
    const element = track.current;
    if (!element || count === 0) return;
    const next = (to + count) % count;
    const far = Math.abs(next - at) > 1 || matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({ left: next * element.clientWidth, behavior: far ? 'instant' : 'smooth' });
    targetIndex.current = next;
    setAt(next);
  };
  const onScrollEnd = () => {
    const element = track.current;
    if (!element?.clientWidth) return;
    const place = Math.round(element.scrollLeft / element.clientWidth);
    // A second click can interrupt the first one's scrolling, so it may settle on a picture nobody asked for.
    if (targetIndex.current !== null && targetIndex.current !== place) {
      element.scrollTo({ left: targetIndex.current * element.clientWidth, behavior: 'instant' });
      return;
    }
    targetIndex.current = null;
    setAt(place);
  };
  const cancelTarget = () => {
    targetIndex.current = null;
  };
  // On a busy machine a pause between two scroll events is not the end: guess only where `scrollend` is missing.
  const onScroll = () => {
    if ('onscrollend' in window) return;
    clearTimeout(settleTimer.current);
    settleTimer.current = setTimeout(onScrollEnd, 90);
  };
  return {
    at,
    go,
    row: { ref: track, onScroll, onScrollEnd, onPointerDown: cancelTarget, onWheel: cancelTarget },
  };
}
