import './map-tools.css';
import L from 'leaflet';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { addBaseLayer, removeMap } from '#ui/map-base.ts';
import { AreaTools } from './area-tools.tsx';
import { leaveGesturesToPage } from './map-gestures.ts';
import type { MapMarkerJson } from './map-marker-json.ts';
import { addPins, type MapListing, type Pins } from './map-pins.ts';
import { MapSheet } from './map-sheet.tsx';
import { addArea, keepSearchAsMoved, searchesAsMoved, showPlace, visiblePart } from './map-view.ts';
import { PinPreview } from './pin-preview.tsx';
import { PlaceListings } from './place-listings.tsx';
import { useAskedQuery } from './use-asked-query.ts';
import { useLooks } from './use-looks.ts';

interface Props {
  query: PropertiesQuery;
  /** URL of a tile server; null for the bundled outline of the states */
  tilesUrl: string | null;
}

/** How long a hint stays, in milliseconds. */
const HINT_MS = 4_000;
/** Moves or zooms the map that has the focus; Tab, on the way to its homes or out of it, does not. */
const MOVING_KEY = /^(?:Arrow(?:Left|Right|Up|Down)|[-+=_])$/;

/** The listings on a map. Moving it filters the list, unless that is switched off; the list's other filters apply to the map too. */
export default function ListingMap({ query, tilesUrl }: Props) {
  const navigate = useNavigate();
  const askedQuery = useAskedQuery(query);
  const container = useRef<HTMLDivElement>(null);
  const [map, setMap] = useState<L.Map | null>(null);
  const [failed, setFailed] = useState(false);
  const [baseFailed, setBaseFailed] = useState(false);
  const [hint, setHint] = useState<string | null>(null);
  const [place, setPlace] = useState<readonly MapListing[] | null>(null);
  const [drawing, setDrawing] = useState(false);
  const [follows, setFollows] = useState(searchesAsMoved);
  /** what is visible since the map was moved without a search; null while it shows the place of the URL */
  const [moved, setMoved] = useState<string | null>(null);
  const latest = useRef({ query, navigate, follows, drawing });
  latest.current = { query, navigate, follows, drawing };
  /** the place in the URL that the map shows */
  const shown = useRef('');
  const following = useRef(false);
  const pins = useRef<Pins | null>(null);
  /** the listing whose pin had the focus when the pins were taken away */
  const focused = useRef<string | undefined>(undefined);
  const [covered, setCovered] = useState(0);
  const { looked, card, look, close, hover } = useLooks(map, pins);

  /** Limits the search to a place that the map shows, unless the map is being left. */
  const search = (change: PropertiesQuery) => {
    const asked = askedQuery();
    if (!asked) return;
    const next = { ...asked, ...change, page: undefined };
    shown.current = placeKey(next);
    setMoved(null);
    void latest.current.navigate(paths.properties(next), { replace: true, preventScrollReset: true });
  };
  const searchHere = (at: L.Map) => search({ bbox: visiblePart(at), area: undefined });
  const searching = useRef(searchHere);
  searching.current = searchHere;

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
    shown.current = placeKey(latest.current.query);
    showPlace(created, latest.current.query);
    const drawBase = () => {
      addBaseLayer(created, tilesUrl).then(
        () => setBaseFailed(false),
        () => {
          setBaseFailed(true);
          created.once('moveend', drawBase);
        },
      );
    };
    drawBase();
    const stopGestures = leaveGesturesToPage(created, setHint);
    // Only user moves filter: `moveend` also fires when the map follows the URL or its window.
    const userMove = { moved: false };
    created.on('dragstart zoomstart', () => {
      if (!following.current) userMove.moved = true;
    });
    created.on('keydown', ({ originalEvent: { key, target } }) => {
      if (target === created.getContainer() && MOVING_KEY.test(key)) userMove.moved = true;
    });
    created.on('moveend', () => {
      const byUser = userMove.moved && !following.current;
      userMove.moved = false;
      if (!byUser) return;
      const { query: now, follows: searches, drawing: draws } = latest.current;
      if (draws || now.area || !searches) setMoved(visiblePart(created));
      else searching.current(created);
    });
    setMap(created);
    return () => {
      stopGestures();
      removeMap(created);
    };
  }, [tilesUrl]);

  // Another place in the URL ('Search everywhere', the back button): the map follows.
  const inUrl = placeKey(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place counts by its content
  useEffect(() => {
    if (!map || inUrl === shown.current) return;
    shown.current = inUrl;
    following.current = true;
    showPlace(map, query);
    following.current = false;
    setMoved(null);
  }, [map, inUrl]);

  useEffect(() => {
    if (!map || drawing) return;
    const layer = addArea(map, query.area);
    return () => void layer?.remove();
  }, [map, query.area, drawing]);

  const key = JSON.stringify({ ...query, page: undefined, sort: undefined, moved });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query counts by its content
  useEffect(() => {
    if (!map) return;
    const abort = new AbortController();
    const layer = L.layerGroup().addTo(map);
    const refocus = focused.current;
    focused.current = undefined;
    const bbox = moved ?? query.bbox ?? visiblePart(map);
    const within = query.bbox ?? 'everywhere';
    fetch(paths.mapMarkers({ ...query, bbox, within, zoom: map.getZoom() }), { signal: abort.signal })
      .then((response) =>
        response.ok ? (response.json() as Promise<MapMarkerJson[]>) : Promise.reject(response),
      )
      .then((markers) => {
        setFailed(false);
        pins.current = addPins(map, layer, markers, {
          openListing: ({ id }) => void latest.current.navigate(paths.property(id)),
          openPlace: setPlace,
          look,
        });
        // The pin that had the focus before the search changed.
        if (refocus && document.activeElement === document.body) pins.current.focus(refocus);
      })
      .catch(() => abort.signal.aborted || setFailed(true));
    return () => {
      abort.abort();
      const active = document.activeElement;
      if (active instanceof HTMLElement) focused.current = active.dataset.listing;
      layer.remove();
      pins.current = null;
      setPlace(null);
      close();
    };
  }, [map, key]);

  useEffect(() => {
    map?.on('click movestart', close);
    return () => void map?.off('click movestart', close);
  }, [map, close]);

  useEffect(() => {
    if (!hint) return;
    const timer = setTimeout(() => setHint(null), HINT_MS);
    return () => clearTimeout(timer);
  }, [hint]);

  return (
    <section
      className="listing-map"
      aria-label="Map of properties"
      style={{ '--covered': `${covered}px` } as CSSProperties}
    >
      <div ref={container} />
      {map && (
        <section className="map-tools" aria-label="Map tools">
          <AreaTools
            map={map}
            drawn={Boolean(query.area)}
            drawing={drawing}
            onDrawing={setDrawing}
            onArea={(area) => search(area ? { area, bbox: undefined } : { area })}
          />
          {!drawing && !query.area && (
            <label className="map-follow">
              <input
                type="checkbox"
                checked={follows}
                onChange={({ currentTarget: { checked } }) => {
                  setFollows(checked);
                  keepSearchAsMoved(checked);
                  if (checked && moved) searchHere(map);
                }}
              />
              Search as I move
            </label>
          )}
          {!drawing && !query.area && !follows && moved && (
            <Button size="sm" onClick={() => searchHere(map)}>
              Search this area
            </Button>
          )}
        </section>
      )}
      <p className="map-hint" role="status">
        {hint}
      </p>
      {looked && !place && <PinPreview at={looked} card={card} covered={covered} onHover={hover} />}
      {map && <MapSheet map={map} onCovered={setCovered} />}
      {drawing && <i className="map-crosshair" aria-hidden="true" />}
      {place && (
        <PlaceListings
          listings={place}
          onClose={() => {
            setPlace(null);
            map?.getContainer().focus({ preventScroll: true });
          }}
        />
      )}
      {(failed || baseFailed) && (
        <p className="map-error" role="alert">
          The map could not be loaded. Move it to try again.
        </p>
      )}
    </section>
  );
}

const placeKey = ({ bbox = '', area = '' }: PropertiesQuery): string => `${bbox} ${area}`;
