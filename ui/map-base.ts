import './map-base.css';
import L from 'leaflet';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import statesUrl from 'us-atlas/states-10m.json?url';

/** The initial map view: the contiguous United States. */
export const COUNTRY_BOUNDS = L.latLngBounds([24.4, -125], [49.5, -66.9]);

/**
 * Adds the base layer: tiles from a map server, or the bundled outlines of the states.
 * @throws when the outlines cannot be fetched
 */
export async function addBaseLayer(map: L.Map, tilesUrl: string | null): Promise<void> {
  if (tilesUrl) {
    L.tileLayer(tilesUrl, { attribution: '© OpenStreetMap contributors' }).addTo(map);
    return;
  }
  const topology = (await (await fetch(statesUrl)).json()) as Topology<{ states: GeometryCollection }>;
  L.geoJSON(feature(topology, topology.objects.states), {
    interactive: false,
    style: { className: 'map-state' },
  }).addTo(map);
}
