import L from 'leaflet';
import { labelsThatFit, type Town } from './map-labels.ts';

/** The outline of a state, with its number at the Census Bureau. */
export interface StateOutline {
  fips: string;
  bounds: L.LatLngBounds;
}

/** JSON of a state's file, or of the country's, which has no lines; numbers in thousandths of a degree (scripts/basemap.ts). */
interface PlacesJson {
  /** a line as its first point and the steps from there */
  lines?: readonly (readonly number[])[];
  towns: readonly [name: string, longitude: number, latitude: number, population: number][];
}

const SCALE = 1_000;
/** From this zoom level on, counties and small towns are shown. */
const CLOSE_ZOOM = 6.5;
const COUNTRY = 'country';

const files = import.meta.glob<string>('./basemap/*.json', {
  query: '?url&no-inline',
  import: 'default',
  eager: true,
});

/** Adds county borders and the names of towns: the large ones of the country, from near those of the states in view, each fetched once. */
export function addPlaces(map: L.Map, states: readonly StateOutline[]): void {
  const borders = L.layerGroup();
  const pane = map.createPane('towns');
  pane.setAttribute('aria-hidden', 'true');
  const towns = new Map<string, Town[]>();
  const asked = new Set<string>();

  async function load(name: string): Promise<void> {
    const url = files[`./basemap/${name}.json`];
    if (!url || asked.has(name)) return;
    asked.add(name);
    try {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`The places were answered with ${response.status}`);
      const { lines = [], towns: listed } = (await response.json()) as PlacesJson;
      towns.set(
        name,
        listed.map(([label, x, y, population]) => ({
          label,
          longitude: x / SCALE,
          latitude: y / SCALE,
          population,
        })),
      );
      borders.addLayer(L.polyline(lines.map(pointsOf), { interactive: false, className: 'map-county' }));
      draw();
    } catch {
      // Names and borders help to find one's way; the map works without, and the next move asks again.
      asked.delete(name);
    }
  }

  function draw(): void {
    const close = map.getZoom() >= CLOSE_ZOOM;
    if (close) borders.addTo(map);
    else borders.remove();
    const view = map.getBounds();
    const size = map.getSize();
    const shown = new Map(
      [...towns]
        .flatMap(([name, listed]) => (close || name === COUNTRY ? listed : []))
        .map((town) => [`${town.label} ${town.latitude} ${town.longitude}`, town]),
    );
    const placed = [...shown.values()]
      .filter(({ latitude, longitude }) => view.contains([latitude, longitude]))
      .map((town) => ({ ...town, ...pixel(map.latLngToContainerPoint([town.latitude, town.longitude])) }));
    pane.replaceChildren(
      ...labelsThatFit(placed, { width: size.x, height: size.y }).map((town) => {
        const element = document.createElement('span');
        element.className = 'map-town';
        element.textContent = town.label;
        const { x, y } = map.latLngToLayerPoint([town.latitude, town.longitude]);
        element.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
        return element;
      }),
    );
  }

  const update = () => {
    draw();
    void load(COUNTRY);
    if (map.getZoom() < CLOSE_ZOOM) return;
    for (const { fips, bounds } of states) if (bounds.intersects(map.getBounds())) void load(fips);
  };
  // The names are placed for one zoom level.
  map.on('zoomstart', () => pane.replaceChildren());
  map.on('moveend', update);
  update();
}

const pixel = ({ x, y }: L.Point) => ({ x, y });

function pointsOf(line: readonly number[]): L.LatLngTuple[] {
  let [x, y] = [0, 0];
  return Array.from({ length: line.length / 2 }, (_, at): L.LatLngTuple => {
    x += line[2 * at] ?? 0;
    y += line[2 * at + 1] ?? 0;
    return [y / SCALE, x / SCALE];
  });
}
