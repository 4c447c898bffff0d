import L from 'leaflet';
import { type Corner, MAX_CORNERS, MIN_CORNERS } from '../drawn-area.ts';

/** What is told while an area is drawn. */
interface DrawingEvents {
  /** the corners so far, and where the last one is */
  onCorners: (corners: readonly Corner[]) => void;
  onDone: (corners: readonly Corner[]) => void;
  onCancel: () => void;
}

/** An area that is being drawn. */
export interface Drawing {
  /** adds the middle of the map, for those who draw by keyboard; closes the area on its first corner */
  addCenter: () => void;
  undo: () => void;
  done: () => void;
  /** removes the lines and gives the map its gestures back */
  stop: () => void;
}

/** A press that moves less is a corner, in pixels; one that moves more draws a line. */
const CLICK_PX = 8;
/** Pressing this near to the first corner closes the area, in pixels. */
const CLOSE_PX = 14;
/** Pixels between two points of a line that is drawn. */
const STEP_PX = 4;

/** Pixels of a step of the arrow keys. */
const KEY_PX = 40;

/** Draws an area: by one line, corner by corner, or by keyboard with the middle of the map as its pen. */
export function startDrawing(map: L.Map, events: DrawingEvents): Drawing {
  const container = map.getContainer();
  const layer = L.layerGroup().addTo(map);
  const listening = new AbortController();
  const { signal } = listening;
  let corners: L.LatLng[] = [];
  let line: L.Point[] | null = null;
  container.dataset.drawing = '';
  map.dragging.disable();
  map.doubleClickZoom.disable();
  map.boxZoom.disable();

  const redraw = (shown: readonly L.LatLng[] = corners) => {
    layer.clearLayers();
    const style = { interactive: false, className: 'map-area map-area-open' };
    layer.addLayer(shown.length > 2 ? L.polygon([...shown], style) : L.polyline([...shown], style));
    if (shown === corners)
      for (const corner of corners)
        layer.addLayer(
          L.circleMarker(corner, { interactive: false, radius: 5, className: 'map-area-corner' }),
        );
  };
  const set = (next: L.LatLng[]) => {
    corners = next;
    redraw();
    events.onCorners(corners.map(cornerOf));
  };
  const done = () => events.onDone(corners.map(cornerOf));
  const add = (at: L.Point) => {
    const [first] = corners;
    const closes =
      first && corners.length >= MIN_CORNERS && map.latLngToContainerPoint(first).distanceTo(at) < CLOSE_PX;
    if (closes) return done();
    set([...corners, map.containerPointToLatLng(at)]);
  };
  const undo = () => set(corners.slice(0, -1));

  container.addEventListener(
    'pointerdown',
    (event) => {
      if (!event.isPrimary || event.button !== 0 || onControl(event)) return;
      line = [map.mouseEventToContainerPoint(event)];
      container.setPointerCapture(event.pointerId);
    },
    { signal },
  );
  container.addEventListener(
    'pointermove',
    (event) => {
      const last = line?.at(-1);
      const at = map.mouseEventToContainerPoint(event);
      if (!line || !last || last.distanceTo(at) < STEP_PX) return;
      line.push(at);
      if (isDrawn(line)) redraw(line.map((point) => map.containerPointToLatLng(point)));
    },
    { signal },
  );
  container.addEventListener(
    'pointerup',
    () => {
      const drawn = line;
      line = null;
      const [start] = drawn ?? [];
      if (!drawn || !start) return;
      if (!isDrawn(drawn)) return add(start);
      set(fewCorners(drawn).map((point) => map.containerPointToLatLng(point)));
      done();
    },
    { signal },
  );
  // Another gesture, such as zooming by two fingers, took over.
  container.addEventListener(
    'pointercancel',
    () => {
      line = null;
      redraw();
    },
    { signal },
  );
  const addCenter = () => add(map.getSize().divideBy(2));
  container.addEventListener(
    'keydown',
    (event) => {
      if (event.target !== container) return;
      const step = STEPS[event.key];
      if (step) {
        // The map's own steps take time, in which the pen is not where it is going.
        event.preventDefault();
        event.stopPropagation();
        map.panBy(L.point(step).multiplyBy(event.shiftKey ? 3 : 1), { animate: false });
        return;
      }
      const act = { Enter: addCenter, ' ': addCenter, Backspace: undo, Escape: events.onCancel }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    },
    { signal },
  );
  return {
    addCenter,
    undo,
    done,
    stop() {
      listening.abort();
      layer.remove();
      delete container.dataset.drawing;
      map.dragging.enable();
      map.doubleClickZoom.enable();
      map.boxZoom.enable();
    },
  };
}

/** Where the arrow keys move the map, in pixels. */
const STEPS: Record<string, L.PointTuple | undefined> = {
  ArrowLeft: [-KEY_PX, 0],
  ArrowRight: [KEY_PX, 0],
  ArrowUp: [0, -KEY_PX],
  ArrowDown: [0, KEY_PX],
};

const onControl = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('.leaflet-control') !== null;

/** Whether a press went far enough to be a line. */
const isDrawn = (line: readonly L.Point[]): boolean => {
  const [start] = line;
  return start !== undefined && line.some((point) => point.distanceTo(start) >= CLICK_PX);
};

/** The line with as few corners as an area may have, as near to it as that allows. */
function fewCorners(line: readonly L.Point[]): L.Point[] {
  let tolerance = 2;
  let simple = L.LineUtil.simplify([...line], tolerance);
  while (simple.length > MAX_CORNERS) {
    tolerance *= 1.5;
    simple = L.LineUtil.simplify([...line], tolerance);
  }
  return simple;
}

const cornerOf = ({ lat, lng }: L.LatLng): Corner => {
  const { lat: latitude, lng: longitude } = L.latLng(lat, lng).wrap();
  return { latitude, longitude };
};
