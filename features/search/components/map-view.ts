import L from 'leaflet';
import type { PropertiesQuery } from '#routing/paths.ts';
import { COUNTRY_BOUNDS } from '#ui/map-base.ts';
import { boundsOfArea, parseDrawnArea } from '../drawn-area.ts';
import { formatRectangle, parseRectangle } from '../model.ts';

/** Where the URL limits the search to. */
export type Place = Pick<PropertiesQuery, 'bbox' | 'area'>;

/** Shows the place of the URL, without animation; the whole country when there is none. */
export function showPlace(map: L.Map, { bbox, area }: Place): void {
  const drawn = parseDrawnArea(area);
  const place = parseRectangle(bbox ?? null) ?? (drawn && boundsOfArea(drawn));
  const bounds = place
    ? L.latLngBounds([place.south, place.west], [place.north, place.east])
    : COUNTRY_BOUNDS;
  map.fitBounds(bounds, { animate: false, padding: drawn ? [24, 24] : [0, 0] });
}

/** What of the map is visible, as in the URL. */
export function visiblePart(map: L.Map): string {
  const bounds = map.getBounds();
  return formatRectangle({
    south: Math.max(-90, bounds.getSouth()),
    west: Math.max(-180, bounds.getWest()),
    north: Math.min(90, bounds.getNorth()),
    east: Math.min(180, bounds.getEast()),
  });
}

/** Draws the area to which the search is limited. */
export function addArea(map: L.Map, area: string | undefined): L.Layer | null {
  const drawn = parseDrawnArea(area);
  if (!drawn) return null;
  const corners = drawn.map(({ latitude, longitude }) => L.latLng(latitude, longitude));
  return L.polygon(corners, { interactive: false, fillRule: 'nonzero', className: 'map-area' }).addTo(map);
}

const KEY = 'map-search-as-moved';

/** Whether moving the map searches there; kept in this browser. */
export function searchesAsMoved(): boolean {
  try {
    return localStorage.getItem(KEY) !== '0';
  } catch {
    // A browser that refuses storage starts with the default each time.
    return true;
  }
}

/** Keeps the choice in this browser. */
export function keepSearchAsMoved(follows: boolean): void {
  try {
    localStorage.setItem(KEY, follows ? '1' : '0');
  } catch {
    // As above.
  }
}
