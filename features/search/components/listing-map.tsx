import L from 'leaflet';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { addBaseLayer, COUNTRY_BOUNDS } from '#ui/map-base.ts';
import { formatRectangle, parseRectangle } from '../model.ts';
import { leaveGesturesToPage } from './map-gestures.ts';
import type { MapMarkerJson } from './map-marker-json.ts';
import { addPins, type MapListing } from './map-pins.ts';
import { PlaceListings } from './place-listings.tsx';

interface Props {
  query: PropertiesQuery;
  /** URL of a tile server; null for the bundled outline of the states */
  tilesUrl: string | null;
}

/** How long a hint stays, in milliseconds. */
const HINT_MS = 4_000;

/** The listings on a map. Moving it filters the list; the list's other filters apply to the map too. */
export default function ListingMap({ query, tilesUrl }: Props) {
  const navigate = useNavigate();
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<L.Map | null>(null);
  const [failed, setFailed] = useState(false);
  const [hint, setHint] = useState<string | null>(null);
  const [place, setPlace] = useState<readonly MapListing[] | null>(null);
  const latest = useRef({ query, navigate });
  latest.current = { query, navigate };
  /** the area in the URL that the map shows */
  const shownArea = useRef<string | undefined>(undefined);
  const following = useRef(false);

  useEffect(() => {
    if (!container.current) return;
    const animated = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    const created = L.map(container.current, {
      minZoom: 3,
      maxZoom: 18,
      zoomSnap: 0.25,
      worldCopyJump: true,
      zoomAnimation: animated,
      fadeAnimation: animated,
      inertia: animated,
    });
    created.attributionControl.setPrefix(false);
    shownArea.current = latest.current.query.bbox;
    showArea(created, shownArea.current);
    addBaseLayer(created, tilesUrl).catch(() => setFailed(true));
    const stopGestures = leaveGesturesToPage(created, setHint);
    // Only user moves filter: `moveend` also fires when the map follows the URL or its window.
    const userMove = { moved: false };
    created.on('dragstart zoomstart keydown', () => {
      if (!following.current) userMove.moved = true;
    });
    created.on('moveend', () => {
      if (!userMove.moved) return;
      userMove.moved = false;
      const { query: now, navigate: go } = latest.current;
      const bbox = areaOf(created);
      shownArea.current = bbox;
      void go(paths.properties({ ...now, bbox, page: undefined }), {
        replace: true,
        preventScrollReset: true,
      });
    });
    setMap(created);
    return () => {
      stopGestures();
      created.remove();
    };
  }, [tilesUrl]);

  // Another area in the URL ('Search everywhere', the back button): the map follows.
  useEffect(() => {
    if (!map || query.bbox === shownArea.current) return;
    shownArea.current = query.bbox;
    following.current = true;
    showArea(map, query.bbox);
    following.current = false;
  }, [map, query.bbox]);

  const key = JSON.stringify({ ...query, page: undefined, sort: undefined });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query counts by its content
  useEffect(() => {
    if (!map) return;
    const abort = new AbortController();
    const layer = L.layerGroup().addTo(map);
    const bbox = query.bbox ?? areaOf(map);
    fetch(paths.mapMarkers({ ...query, bbox, zoom: map.getZoom() }), { signal: abort.signal })
      .then((response) =>
        response.ok ? (response.json() as Promise<MapMarkerJson[]>) : Promise.reject(response),
      )
      .then((markers) => {
        setFailed(false);
        addPins(map, layer, markers, {
          openListing: ({ id }) => void latest.current.navigate(paths.property(id)),
          openPlace: setPlace,
        });
      })
      .catch(() => abort.signal.aborted || setFailed(true));
    return () => {
      abort.abort();
      layer.remove();
      setPlace(null);
    };
  }, [map, key]);

  useEffect(() => {
    if (!hint) return;
    const timer = setTimeout(() => setHint(null), HINT_MS);
    return () => clearTimeout(timer);
  }, [hint]);

  return (
    <section className="listing-map" aria-label="Map of properties">
      <div ref={container} />
      <p className="map-hint" role="status">
        {hint}
      </p>
      {place && (
        <PlaceListings
          listings={place}
          onClose={() => {
            setPlace(null);
            map?.getContainer().focus({ preventScroll: true });
          }}
        />
      )}
      {failed && (
        <p className="map-error" role="alert">
          The map could not be loaded. Move it to try again.
        </p>
      )}
    </section>
  );
}

/** Shows an area of the URL at once, without animation; the whole country when there is none. */
function showArea(map: L.Map, bbox: string | undefined): void {
  const area = parseRectangle(bbox ?? null);
  const bounds = area ? L.latLngBounds([area.south, area.west], [area.north, area.east]) : COUNTRY_BOUNDS;
  map.fitBounds(bounds, { animate: false });
}

/** The visible area as in the URL. */
function areaOf(map: L.Map): string {
  const bounds = map.getBounds();
  return formatRectangle({
    south: Math.max(-90, bounds.getSouth()),
    west: Math.max(-180, bounds.getWest()),
    north: Math.min(90, bounds.getNorth()),
    east: Math.min(180, bounds.getEast()),
  });
}
