import './map-base.css';
import L from 'leaflet';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import statesUrl from 'us-atlas/states-10m.json?url';
import { addPlaces, type StateOutline } from './map-places.ts';

/** Whether the address is one of a PMTiles file rather than a template of tiles. */
const isVectorFile = (url: string): boolean => /^[^?#{]+\.pmtiles([?#]|$)/.test(url);

/** The initial map view: the contiguous United States. */
export const COUNTRY_BOUNDS = L.latLngBounds([24.4, -125], [49.5, -66.9]);

/** Removes a map for good. Leaflet leaves the timers of a resize and of a running zoom alone; both would read the map that is gone. */
export function removeMap(map: L.Map): void {
  map.remove();
  map.off();
  Object.assign(map, { _animatingZoom: false });
}

/**
 * Adds the base layer: tiles from a map server, the streets of one PMTiles file, or the bundled outlines of the states with their counties and towns.
 * @param tilesUrl a template with `{z}/{x}/{y}`, or the address of a file whose path ends with `.pmtiles`
 * @throws when the file or the outlines cannot be fetched
 */
export async function addBaseLayer(map: L.Map, tilesUrl: string | null): Promise<void> {
  if (tilesUrl && isVectorFile(tilesUrl))
    return (await import('./vector-tiles.ts')).addVectorTiles(map, tilesUrl);
  if (tilesUrl) {
    L.tileLayer(tilesUrl, { attribution: '© OpenStreetMap contributors' }).addTo(map);
    return;
  }
  let removed = false;
  map.once('unload', () => {
    removed = true;
  });
  const topology = (await (await fetch(statesUrl)).json()) as Topology<{ states: GeometryCollection }>;
  if (removed) return;
  const states: StateOutline[] = [];
  L.geoJSON(feature(topology, topology.objects.states), {
    interactive: false,
    style: { className: 'map-state' },
    onEachFeature: ({ id }, layer) =>
      states.push({ fips: String(id), bounds: (layer as L.Polygon).getBounds() }),
  }).addTo(map);
  addPlaces(map, states);
  map.attributionControl?.addAttribution('Towns © GeoNames (CC BY 4.0)');
}
