import L from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { addBase, COUNTRY } from '#ui/map-base.ts';
import { type LocatedAt, placeOf, placeText } from '../form/place.ts';

interface Props {
  /** see `placeText`; empty where nobody knows */
  place: string;
  tilesUrl: string | null;
  /** null: the pin cannot be moved */
  onMove: ((place: string) => void) | null;
}

const STEP_PX = 12;
const steps: Record<string, [x: number, y: number]> = {
  ArrowUp: [0, -STEP_PX],
  ArrowDown: [0, STEP_PX],
  ArrowLeft: [-STEP_PX, 0],
  ArrowRight: [STEP_PX, 0],
};
/** Without tiles there is nothing to see close by but the borders of the state. */
const zoomOf = (precision: LocatedAt['precision'], tiles: boolean) =>
  tiles ? (precision === 'pin' || precision === 'rooftop' || precision === 'street' ? 16 : 12) : 7;

/** A small map whose pin can be dragged, moved with the arrow keys, or put down by a press on the map. */
export default function PinMap({ place, tilesUrl, onMove }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<L.Map | null>(null);
  const [failed, setFailed] = useState(false);
  const latest = useRef({ onMove, own: '' });
  latest.current.onMove = onMove;
  const put = (at: L.LatLng) => {
    const { lat, lng } = at.wrap();
    const moved = placeText({
      latitude: Math.max(-90, Math.min(90, lat)),
      longitude: lng,
      precision: 'pin',
    });
    latest.current.own = moved;
    latest.current.onMove?.(moved);
  };
  const putLatest = useRef(put);
  putLatest.current = put;

  useEffect(() => {
    if (!box.current) return;
    const created = L.map(box.current, { minZoom: 3, maxZoom: 18, zoomSnap: 0.25, scrollWheelZoom: false });
    created.attributionControl.setPrefix(false);
    created.fitBounds(COUNTRY);
    created.on('click', ({ latlng }) => putLatest.current(latlng));
    addBase(created, tilesUrl).catch(() => setFailed(true));
    setMap(created);
    return () => void created.remove();
  }, [tilesUrl]);

  const movable = onMove !== null;
  useEffect(() => {
    const at = placeOf(place);
    if (!map || !at) return;
    const pin = L.marker([at.latitude, at.longitude], {
      icon: L.divIcon({ className: 'map-pin', html: PIN, iconSize: [32, 40], iconAnchor: [16, 38] }),
      draggable: movable,
      keyboard: movable,
      title: movable ? 'Move the pin' : '',
      alt: 'Pin of the property',
    }).addTo(map);
    const element = pin.getElement();
    const label = movable ? 'Pin of the property. The arrow keys move it.' : 'Pin of the property';
    element?.setAttribute('aria-label', label);
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key];
      if (!step || !movable) return;
      event.preventDefault();
      event.stopPropagation();
      const to = map.latLngToContainerPoint(pin.getLatLng()).add(step);
      refocus.current = true;
      putLatest.current(map.containerPointToLatLng(to));
    };
    element?.addEventListener('keydown', onKey);
    pin.on('dragend', () => putLatest.current(pin.getLatLng()));
    if (refocus.current) element?.focus({ preventScroll: true });
    refocus.current = false;
    // A pin that was put down here stays where the reader looks; one that was found is gone to.
    const own = latest.current.own === place;
    if (!own) map.setView(pin.getLatLng(), zoomOf(at.precision, tilesUrl !== null), { animate: false });
    else if (!map.getBounds().contains(pin.getLatLng())) map.panTo(pin.getLatLng(), { animate: false });
    return () => void pin.remove();
  }, [map, place, movable, tilesUrl]);
  const refocus = useRef(false);

  return (
    <>
      <section className="listing-map pin-map" aria-label="Map of the property">
        <div ref={box} />
        {failed && <p role="alert">The map could not be loaded.</p>}
      </section>
      {movable && (
        <Button
          variant="link"
          size="sm"
          className="pin-centre"
          onClick={() => map && putLatest.current(map.getCenter())}
        >
          Put the pin in the middle of the map
        </Button>
      )}
    </>
  );
}

const PIN =
  '<svg viewBox="0 0 32 40" width="32" height="40" aria-hidden="true">' +
  '<path class="pin-body" d="M16 38C10 29 4 22.500 4 15a12 12 0 0 1 24 0c0 7.500-6 14-12 23Z"/>' +
  '<circle class="pin-eye" cx="16" cy="15" r="4.500"/></svg>';
