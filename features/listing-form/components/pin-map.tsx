import L from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { addBaseLayer, COUNTRY_BOUNDS, removeMap } from '#ui/map-base.ts';
import { formatPlace, type GeoLocation, parsePlace } from '../place.ts';
import { CenterPinButton } from './center-pin-button.tsx';

interface Props {
  /** see `formatPlace`; empty when unknown */
  place: string;
  tilesUrl: string | null;
  /** null for a read-only map */
  onMove: ((place: string) => void) | null;
}

const STEP_PX = 12;
const steps: Record<string, [x: number, y: number]> = {
  ArrowUp: [0, -STEP_PX],
  ArrowDown: [0, STEP_PX],
  ArrowLeft: [-STEP_PX, 0],
  ArrowRight: [STEP_PX, 0],
};
/** Without tiles there are no streets, only counties and towns, so it stays zoomed out. */
const zoomOf = (precision: GeoLocation['precision'], tiles: boolean) =>
  tiles ? (precision === 'pin' || precision === 'rooftop' || precision === 'street' ? 16 : 12) : 9;

/** A small map with a pin that can be dragged, moved with the arrow keys, or placed by clicking. */
export default function PinMap({ place, tilesUrl, onMove }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<L.Map | null>(null);
  const [failed, setFailed] = useState(false);
  const latest = useRef({ onMove, own: '' });
  latest.current.onMove = onMove;
  const movePin = (at: L.LatLng) => {
    const { lat, lng } = at.wrap();
    const moved = formatPlace({
      latitude: Math.max(-90, Math.min(90, lat)),
      longitude: lng,
      precision: 'pin',
    });
    latest.current.own = moved;
    latest.current.onMove?.(moved);
  };
  const movePinRef = useRef(movePin);
  movePinRef.current = movePin;

  useEffect(() => {
    if (!container.current) return;
    const created = L.map(container.current, {
      minZoom: 3,
      maxZoom: 18,
      zoomSnap: 0.25,
      scrollWheelZoom: false,
    });
    created.attributionControl.setPrefix(false);
    created.fitBounds(COUNTRY_BOUNDS);
    created.on('click', ({ latlng }) => movePinRef.current(latlng));
    addBaseLayer(created, tilesUrl).catch(() => setFailed(true));
    setMap(created);
    return () => removeMap(created);
  }, [tilesUrl]);

  const movable = onMove !== null;
  useEffect(() => {
    const at = parsePlace(place);
    if (!map || !at) return;
    const pin = L.marker([at.latitude, at.longitude], {
      icon: L.divIcon({ className: 'map-pin', html: PIN, iconSize: [32, 40], iconAnchor: [16, 38] }),
      draggable: movable,
      keyboard: movable,
      title: movable ? 'Move the pin' : '',
      alt: 'Property pin',
    }).addTo(map);
    const element = pin.getElement();
    const label = movable ? 'Property pin. Use the arrow keys to move it.' : 'Property pin';
    element?.setAttribute('aria-label', label);
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key];
      if (!step || !movable) return;
      event.preventDefault();
      event.stopPropagation();
      const to = map.latLngToContainerPoint(pin.getLatLng()).add(step);
      refocus.current = true;
      movePinRef.current(map.containerPointToLatLng(to));
    };
    element?.addEventListener('keydown', onKey);
    pin.on('dragend', () => movePinRef.current(pin.getLatLng()));
    if (refocus.current) element?.focus({ preventScroll: true });
    refocus.current = false;
    // A pin placed by the user keeps the current view; a geocoded one is centered.
    const own = latest.current.own === place;
    if (!own) map.setView(pin.getLatLng(), zoomOf(at.precision, tilesUrl !== null), { animate: false });
    else if (!map.getBounds().contains(pin.getLatLng())) map.panTo(pin.getLatLng(), { animate: false });
    return () => void pin.remove();
  }, [map, place, movable, tilesUrl]);
  const refocus = useRef(false);

  return (
    <>
      <section className="listing-map pin-map" aria-label="Map of the property">
        <div ref={container} />
        {failed && <p role="alert">The map could not be loaded.</p>}
      </section>
      {movable && <CenterPinButton onClick={() => map && movePinRef.current(map.getCenter())} />}
    </>
  );
}

const PIN =
  '<svg viewBox="0 0 32 40" width="32" height="40" aria-hidden="true">' +
  '<path class="pin-body" d="M16 38C10 29 4 22.500 4 15a12 12 0 0 1 24 0c0 7.500-6 14-12 23Z"/>' +
  '<circle class="pin-eye" cx="16" cy="15" r="4.500"/></svg>';
