import type L from 'leaflet';

/**
 * Leaves the page's own gestures to the page: the wheel scrolls it and so does one finger. Ctrl (or Command) with the wheel
 * zooms the map, two fingers move it, and a mouse drags it.
 * @param onHint called with what to do instead, at most once for each gesture
 * @returns removes the listeners
 */
export function leaveGesturesToPage(map: L.Map, onHint: (hint: string) => void): () => void {
  const container = map.getContainer();
  const listening = new AbortController();
  const { signal } = listening;
  // A finger or the mouse then draws an area.
  const isDrawing = () => container.dataset.drawing !== undefined;
  const said = new Set<string>();
  const hint = (text: string) => {
    if (said.has(text)) return;
    said.add(text);
    onHint(text);
  };
  map.scrollWheelZoom.disable();
  container.addEventListener(
    'wheel',
    ({ ctrlKey, metaKey }) => {
      if (ctrlKey || metaKey) return map.scrollWheelZoom.enable();
      map.scrollWheelZoom.disable();
      hint(`Hold ${isMac() ? 'Command' : 'Ctrl'} while you scroll to zoom the map.`);
    },
    { capture: true, passive: true, signal },
  );
  container.addEventListener(
    'pointerdown',
    ({ pointerType }) =>
      pointerType === 'touch' || isDrawing() ? map.dragging.disable() : map.dragging.enable(),
    { capture: true, signal },
  );
  container.addEventListener(
    'touchmove',
    ({ touches }) => {
      if (touches.length === 1 && !isDrawing()) hint('Use two fingers to move the map.');
    },
    { capture: true, passive: true, signal },
  );
  return () => listening.abort();
}

const isMac = (): boolean => /Mac/.test(navigator.userAgent);
