import { mulberry32 } from '#illustrator/random.ts';
import { places } from './places.ts';
import { descriptionWords, skewed, streetKinds, streetNames } from './vocabulary.ts';

/** The columns of `properties` that the benchmarks fill, in the order of a listing's values. */
export const listingColumns = {
  id: 'uuid',
  agent_id: 'uuid',
  type_id: 'smallint',
  title: 'text',
  address: 'text',
  city: 'text',
  state: 'text',
  zip: 'text',
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
} as const;
export type Listing = (string | number | null)[];

export const AGENTS = 200;
export const agentId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const NEWEST = Date.UTC(2026, 9, 1);
const random = mulberry32(1);
const vocabulary = descriptionWords(random);

const uuid = (draw: () => number): string => {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(draw() * 4_294_967_296)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};
/** Approximately normally distributed around 0. */
const bell = (draw: () => number): number => draw() + draw() + draw() + draw() + draw() + draw() - 3;

/** Generates listing `number` deterministically: the same for any number of listings and on every machine. */
export function listing(number: number): Listing {
  const draw = mulberry32(number * 2_654_435_761 + 97);
  const place = places[skewed(draw, places.length)] ?? places[0];
  if (!place) throw new Error('The market has no places');
  const street = `${streetNames[skewed(draw, streetNames.length)]} ${streetKinds[skewed(draw, streetKinds.length)]}`;
  const kind = draw();
  const type = kind < 0.62 ? 2 : kind < 0.8 ? 1 : kind < 0.93 ? 3 : 4;
  const bedrooms = type === 1 ? null : Math.max(0, Math.round(3 + 1.4 * bell(draw)));
  const squareFeet = type === 1 ? null : Math.round(1_900 * Math.exp(0.45 * bell(draw)));
  const price =
    Math.round(410 * Math.exp(0.6 * bell(draw)) * (type === 1 ? 0.3 : type === 4 ? 3 : 1)) * 1_000;
  // Drawn apart, so that everything else of a listing stays as it was.
  const apart = mulberry32(number * 40_503 + 11);
  const lot = Math.round((type === 1 ? 40_000 : 9_000) * Math.exp(1.1 * bell(apart)));
  const year = type === 1 ? null : Math.round(1_975 + 22 * bell(apart));
  const length = 25 + Math.floor(draw() * 70);
  const description = Array.from({ length }, () => vocabulary[skewed(draw, vocabulary.length)]).join(' ');
  return [
    uuid(draw),
    agentId(skewed(draw, AGENTS)),
    type,
    draw() < 0.5 ? null : `${vocabulary[skewed(draw, 400)]} ${vocabulary[skewed(draw, 4_000)]} on ${street}`,
    `${1 + skewed(draw, 9_800)} ${street}`,
    place.city,
    place.state,
    `${place.zip3}${String(skewed(draw, 60)).padStart(2, '0')}`,
    description,
    price * 100,
    bedrooms,
    bedrooms === null ? null : Math.max(1, Math.round(bedrooms * 0.7 + 0.5 * bell(draw))),
    squareFeet,
    apart() < 0.1 ? null : lot,
    year === null || apart() < 0.1 ? null : Math.min(2_026, year),
    Math.max(-89, Math.min(89, place.latitude + place.spread * bell(draw))),
    place.longitude + place.spread * 1.2 * bell(draw),
    new Date(FIRST_DAY + Math.floor(draw() * (NEWEST - FIRST_DAY))).toISOString(),
  ];
}
