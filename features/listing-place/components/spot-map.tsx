import './spot-map.css';
import L from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { addBaseLayer, COUNTRY_BOUNDS, removeMap } from '#ui/map-base.ts';
import { type ListingPlace, radiusMeters } from '../rules.ts';

interface Props {
  place: ListingPlace;
  /** URL of a tile server; null for the bundled outline of the states */
  tilesUrl: string | null;
}

const PIN =
  '<svg viewBox="0 0 32 40" width="32" height="40" aria-hidden="true">' +
  '<path class="pin-body" d="M16 38C10 29 4 22.500 4 15a12 12 0 0 1 24 0c0 7.500-6 14-12 23Z"/>' +
  '<circle class="pin-eye" cx="16" cy="15" r="4.500"/></svg>';
/** Without tiles there are no streets, only counties and towns, so it stays zoomed out. */
const OUTLINE_ZOOM = 9;
const STREET_ZOOM = 15;

/** A map of one place: a pin, or a circle where the place is approximate. The wheel scrolls the page. */
export function SpotMap({ place, tilesUrl }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const { latitude, longitude, precision } = place;
  useEffect(() => {
    if (!container.current) return;
    const animated = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    const map = L.map(container.current, {
      minZoom: 3,
      maxZoom: 18,
      zoomSnap: 0.25,
      scrollWheelZoom: false,
      zoomAnimation: animated,
      fadeAnimation: animated,
    });
    map.attributionControl.setPrefix(false);
    map.fitBounds(COUNTRY_BOUNDS);
    const at = L.latLng(latitude, longitude);
    const radius = radiusMeters(precision);
    if (radius === null) {
      const icon = L.divIcon({ className: 'spot-pin', html: PIN, iconSize: [32, 40], iconAnchor: [16, 38] });
      L.marker(at, { icon, interactive: false, keyboard: false }).addTo(map);
    } else L.circle(at, { radius, className: 'spot-circle', interactive: false }).addTo(map);
    if (tilesUrl && radius !== null) map.fitBounds(at.toBounds(radius * 4), { animate: false });
    else map.setView(at, tilesUrl ? STREET_ZOOM : OUTLINE_ZOOM, { animate: false });
    // At the scale of counties a circle of some miles would hardly be seen.
    if (!tilesUrl && radius !== null)
      L.circleMarker(at, { radius: 9, className: 'spot-circle', interactive: false }).addTo(map);
    addBaseLayer(map, tilesUrl).catch(() => setFailed(true));
    return () => removeMap(map);
  }, [latitude, longitude, precision, tilesUrl]);
  return (
    <>
      <div ref={container} />
      {failed && (
        <p className="map-error" role="alert">
          The map could not be loaded.
        </p>
      )}
    </>
  );
}
