import { mulberry32 } from '#illustrator/random.ts';
import type { Market } from '../data/listing-database.ts';
import { agentId, type Listing } from '../data/listings.ts';
import { places } from '../data/places.ts';
import { skewed, streetNames } from '../data/vocabulary.ts';

/** A home of the generated market, as the queries and their oracle know it. Price in dollars. */
export interface Home {
  id: string;
  number: string;
  /** a direction, '' or abbreviated or in full; likewise the suffix */
  direction: string;
  street: string;
  suffix: string;
  unit: string;
  city: string;
  state: string;
  zip: string;
  neighborhood: string | null;
  mlsNumber: string | null;
  type: number;
  price: number;
  beds: number | null;
  baths: number | null;
  sqft: number | null;
  lot: number;
  year: number | null;
  /** what its remarks name */
  features: readonly string[];
}

/** The words of the remarks for each feature. */
const features = {
  pool: 'A heated pool in the back.',
  garage: 'The garage holds two cars.',
  waterfront: 'Waterfront with its own steps down.',
  fireplace: 'A stone fireplace in the living room.',
  basement: 'Finished basement with a second kitchen.',
};
export type Feature = keyof typeof features;
export const featureNames = Object.keys(features) as Feature[];

/** Cities that share their name with others, with a state, or are written in several ways. */
const more = `Springfield,IL,627,39.8,-89.64|Springfield,MO,658,37.21,-93.29|Springfield,MA,011,42.1,-72.59|Springfield,OR,974,44.05,-123.02
Columbus,GA,319,32.46,-84.99|Aurora,CO,800,39.73,-104.83|Aurora,IL,605,41.76,-88.32|Kansas City,KS,661,39.11,-94.63|St. Paul,MN,551,44.95,-93.09
St. Louis,MO,631,38.63,-90.2|Fort Worth,TX,761,32.76,-97.33|Ft. Lauderdale,FL,333,26.12,-80.14|Mount Vernon,WA,982,48.42,-122.33|Mt. Vernon,NY,105,40.91,-73.83
Saint Augustine,FL,320,29.89,-81.31|Washington,DC,200,38.9,-77.04|Washington,PA,153,40.17,-80.25|Oklahoma City,OK,731,35.47,-97.52|Virginia Beach,VA,234,36.85,-75.98`;
const towns = [
  ...places.map(({ city, state, zip3, latitude, longitude }) => ({ city, state, zip3, latitude, longitude })),
  ...more.split(/[|\n]/).map((line) => {
    const [city = '', state = '', zip3 = '', latitude, longitude] = line.split(',');
    return { city, state, zip3, latitude: Number(latitude), longitude: Number(longitude) };
  }),
];
const neighborhoods =
  `Downtown|Old Town|North End|Riverside|Highland Park|Capitol Hill|Mt. Tabor|St. Johns|Washington Park|University District
Garden District|Hyde Park|Chinatown|West End|Five Points|Bishop Arts|Fox Point|Lower Haight|Bayview|Mission Hill`.split(
    /[|\n]/,
  );
/** Streets named after cities, states and saints, numbered ones, and everyday ones. */
const namedAfter =
  `Boston|Wisconsin|Portland|Washington|Oregon|Denver|Austin|Virginia|Pennsylvania|Springfield|St Charles|Saint Helena|Mount Hood|Fort Hill
2nd|3rd|11th|21st|42nd|First|Fifth|Bedford|Waterfront|Garage|Poolside|Highland|Condor|Landing|Newport|Cheshire`.split(
    /[|\n]/,
  );
/** In full and abbreviated. */
export const suffixes: readonly (readonly [string, string])[] = [
  ['Street', 'St'],
  ['Avenue', 'Ave'],
  ['Drive', 'Dr'],
  ['Lane', 'Ln'],
  ['Road', 'Rd'],
  ['Court', 'Ct'],
  ['Boulevard', 'Blvd'],
  ['Terrace', 'Ter'],
  ['Parkway', 'Pkwy'],
  ['Circle', 'Cir'],
];
export const directions: readonly (readonly [string, string])[] = [
  ['North', 'N'],
  ['South', 'S'],
  ['East', 'E'],
  ['West', 'W'],
  ['Northeast', 'NE'],
  ['Southwest', 'SW'],
];
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAYS = 1_000;
const remarks = [
  'Quiet rooms and good light.',
  'Close to schools and shops.',
  'Minutes from Boston Store.',
  'Sold as it is.',
];

const pick = <T>(draw: () => number, list: readonly T[]): T => list[Math.floor(draw() * list.length)] as T;

/** Home `number`: the same on every machine. */
export function home(
  number: number,
): Home & { createdAt: string; remarks: string; latitude: number; longitude: number } {
  const draw = mulberry32(number * 2_654_435_761 + 13);
  const hex = () =>
    Math.floor(draw() * 4_294_967_296)
      .toString(16)
      .padStart(8, '0');
  const id = `${hex()}-${hex().slice(0, 4)}-4${hex().slice(0, 3)}-a${hex().slice(0, 3)}-${hex()}${hex().slice(0, 4)}`;
  const town =
    draw() < 0.25
      ? pick(draw, towns.slice(places.length))
      : (towns[skewed(draw, places.length)] ?? pick(draw, towns));
  const [full, short] = pick(draw, suffixes);
  const low = 1 + skewed(draw, 9_800);
  const isRange = draw() < 0.03;
  const type = draw() < 0.6 ? 2 : draw() < 0.45 ? 1 : draw() < 0.6 ? 3 : 4;
  const built = type !== 1;
  const named = featureNames.filter(() => draw() < 0.15);
  const spoken = named.filter((name) => built || name === 'waterfront');
  return {
    id,
    number: isRange ? `${low}-${low + 2 * (1 + Math.floor(draw() * 5))}` : String(low),
    direction: draw() < 0.3 ? pick(draw, pick(draw, directions)) : '',
    street:
      draw() < 0.25 ? pick(draw, namedAfter) : (streetNames[skewed(draw, streetNames.length)] ?? 'Main'),
    suffix: draw() < 0.7 ? short : full,
    unit: built && draw() < 0.15 ? `${pick(draw, ['#', 'Unit ', 'Apt '])}${1 + Math.floor(draw() * 60)}` : '',
    city: town.city,
    state: town.state,
    zip: `${town.zip3}${String(skewed(draw, 40)).padStart(2, '0')}`,
    neighborhood: draw() < 0.5 ? pick(draw, neighborhoods) : null,
    mlsNumber: draw() < 0.6 ? `${pick(draw, ['', 'ML', 'R-'])}${10_000_000 + number}` : null,
    type,
    price: Math.round(60 * Math.exp(3 * draw())) * 10_000,
    beds: built ? 1 + Math.floor(draw() * 6) : null,
    baths: built ? 1 + Math.floor(draw() * 4) : null,
    sqft: built ? 600 + Math.floor(draw() * 4_400) : null,
    lot: Math.round(2_000 * Math.exp(5 * draw())),
    year: built ? 1900 + Math.floor(draw() * 125) : null,
    features: spoken,
    remarks: [pick(draw, remarks), ...spoken.map((name) => features[name])].join(' '),
    latitude: town.latitude + 0.1 * (draw() - 0.5),
    longitude: town.longitude + 0.1 * (draw() - 0.5),
    createdAt: new Date(FIRST_DAY + Math.floor(draw() * DAYS * 86_400_000)).toISOString(),
  };
}

export const addressOf = ({ number, direction, street, suffix, unit }: Home): string =>
  [number, direction, street, suffix, unit].filter(Boolean).join(' ');

/** 200,000 listings in the shape of real ones. */
export const relevanceMarket: Market = {
  name: 'relevance',
  sources: ['bench/relevance/market.ts', 'bench/data/places.ts', 'bench/data/vocabulary.ts'],
  columns: {
    id: 'uuid',
    agent_id: 'uuid',
    type_id: 'smallint',
    address: 'text',
    city: 'text',
    state: 'text',
    zip: 'text',
    neighborhood: 'text',
    mls_number: 'text',
    description: 'text',
    price_cents: 'bigint',
    bedrooms: 'smallint',
    bathrooms: 'smallint',
    square_feet: 'numeric',
    lot_square_feet: 'numeric',
    year_built: 'smallint',
    latitude: 'double precision',
    longitude: 'double precision',
    created_at: 'timestamptz',
  },
  listing: (number): Listing => {
    const one = home(number);
    return [
      one.id,
      agentId(number % 200),
      one.type,
      addressOf(one),
      one.city,
      one.state,
      one.zip,
      one.neighborhood,
      one.mlsNumber,
      one.remarks,
      one.price * 100,
      one.beds,
      one.baths,
      one.sqft,
      one.lot,
      one.year,
      one.latitude,
      one.longitude,
      one.createdAt,
    ];
  },
};
