import './map-base.css';
import L from 'leaflet';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import statesUrl from 'us-atlas/states-10m.json?url';

/** The part of the world that maps begin with. */
export const COUNTRY = L.latLngBounds([24.4, -125], [49.5, -66.9]);

/**
 * What lies under the pins: tiles of a map server, or the outline of the states that ships with the product.
 * @throws the failed request for the outline
 */
export async function addBase(map: L.Map, tilesUrl: string | null): Promise<void> {
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
