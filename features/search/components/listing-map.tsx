import L from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { wholeDollars } from '#platform/money.ts';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { addBaseLayer, COUNTRY_BOUNDS } from '#ui/map-base.ts';
import { formatRectangle, parseRectangle } from '../model.ts';
import type { MapMarkerJson } from './map-marker-json.ts';

interface Props {
  query: PropertiesQuery;
  /** URL of a tile server; null for the bundled outline of the states */
  tilesUrl: string | null;
}

/** The listings on a map. Moving it filters the list; the list's other filters apply to the map too. */
export default function ListingMap({ query, tilesUrl }: Props) {
  const navigate = useNavigate();
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<L.Map | null>(null);
  const [failed, setFailed] = useState(false);
  const latest = useRef({ query, navigate });
  latest.current = { query, navigate };

  useEffect(() => {
    if (!container.current) return;
    const created = L.map(container.current, {
      minZoom: 3,
      maxZoom: 18,
      zoomSnap: 0.25,
      worldCopyJump: true,
    });
    created.attributionControl.setPrefix(false);
    const initialBounds = parseRectangle(latest.current.query.bbox ?? null);
    created.fitBounds(
      initialBounds
        ? L.latLngBounds([initialBounds.south, initialBounds.west], [initialBounds.north, initialBounds.east])
        : COUNTRY_BOUNDS,
    );
    addBaseLayer(created, tilesUrl).catch(() => setFailed(true));
    // Only user moves filter: `moveend` also fires for the initial view.
    const userMove = { moved: false };
    created.on('dragstart zoomstart keydown', () => {
      userMove.moved = true;
    });
    created.on('moveend', () => {
      if (!userMove.moved) return;
      const { query: now, navigate: go } = latest.current;
      const bounds = created.getBounds();
      const bbox = formatRectangle({
        south: Math.max(-90, bounds.getSouth()),
        west: Math.max(-180, bounds.getWest()),
        north: Math.min(90, bounds.getNorth()),
        east: Math.min(180, bounds.getEast()),
      });
      void go(paths.properties({ ...now, bbox, page: undefined }), {
        replace: true,
        preventScrollReset: true,
      });
    });
    setMap(created);
    return () => void created.remove();
  }, [tilesUrl]);

  const key = JSON.stringify({ ...query, page: undefined, sort: undefined });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query counts by its content
  useEffect(() => {
    if (!map) return;
    const abort = new AbortController();
    const layer = L.layerGroup().addTo(map);
    const bounds = map.getBounds();
    const bbox =
      query.bbox ??
      formatRectangle({
        south: bounds.getSouth(),
        west: bounds.getWest(),
        north: bounds.getNorth(),
        east: bounds.getEast(),
      });
    fetch(paths.mapMarkers({ ...query, bbox, zoom: map.getZoom() }), { signal: abort.signal })
      .then((response) =>
        response.ok ? (response.json() as Promise<MapMarkerJson[]>) : Promise.reject(response),
      )
      .then((markers) => {
        setFailed(false);
        for (const marker of markers) layer.addLayer(createMarker(map, marker, latest));
      })
      .catch(() => abort.signal.aborted || setFailed(true));
    return () => {
      abort.abort();
      layer.remove();
    };
  }, [map, key]);

  return (
    <section className="listing-map" aria-label="Map of properties">
      <div ref={container} />
      {failed && <p role="alert">The map could not be loaded. Move it to try again.</p>}
    </section>
  );
}

function createMarker(
  map: L.Map,
  marker: MapMarkerJson,
  latest: { current: { navigate: (to: string) => unknown } },
): L.Marker {
  const { listing } = marker;
  const id = listing?.id;
  const text = listing ? wholeDollars(listing.totalCents) : countText(marker);
  const label = listing ? `${listing.address}, ${text}` : `${text} properties`;
  const icon = L.divIcon({
    className: listing ? 'map-price' : 'map-cluster',
    html: text,
    iconSize: undefined,
  });
  const pin = L.marker([marker.latitude, marker.longitude], {
    icon,
    title: label,
    alt: label,
    keyboard: true,
  });
  // Otherwise the accessible name would be the bare price or count.
  pin.on('add', () => pin.getElement()?.setAttribute('aria-label', label));
  return pin.on('click keypress', (event) => {
    const key = (event as L.LeafletKeyboardEvent).originalEvent?.key;
    if (event.type === 'keypress' && key !== 'Enter') return;
    if (id) return void latest.current.navigate(paths.property(id));
    // The pin is removed with the old view, so keep the keyboard focus on the map.
    map.getContainer().focus({ preventScroll: true });
    map.setView([marker.latitude, marker.longitude], map.getZoom() + 2);
  });
}

/** '37', or a rounded '1,200' where the count is an estimate. */
const countText = ({ count, approximate }: MapMarkerJson): string =>
  (approximate && count > 100 ? Math.round(count / 100) * 100 : count).toLocaleString('en-US');
