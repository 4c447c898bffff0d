import { hostileText, type Random } from '#tests/access/fuzz/hostile-input.ts';

/** What people type, in pieces that rules for rooms, prices, addresses and places look for. */
const PIECES = [
  '3 bed',
  '3br 2ba',
  '2.5 baths',
  'studio',
  'under 500k',
  'over $1.2m',
  '400k-600k',
  '$ 1,000,000',
  'at least 2,000 sqft',
  '1500-2500 sq ft',
  'half an acre',
  '0.5 acres',
  'built after 2000',
  'new',
  'cheapest',
  'with pool',
  'waterfront',
  'condo',
  'land',
  'homes for sale in',
  'near',
  'Springfield',
  'St. Louis',
  'Fort Worth, TX 76102-1234 USA',
  'Wisconsin',
  '9400-9408 NE Second Ave',
  '#12',
  'Apt 12',
  'Unit',
  'MLS# 21278146',
  '1208 N Smith St Unit 12, Boise',
  'maple',
  'observatry',
  'or',
  'not',
  '-maple',
  '"quiet lane"',
];

const LONG = [
  'a',
  '1',
  ' ',
  '-',
  '#',
  ',',
  '$',
  '.',
  "'",
  '1-',
  '1,',
  '3 bed ',
  'st ',
  'a b ',
  'e\u0301',
  '\u0130',
];

const PARAMS = [
  'type',
  'min',
  'max',
  'beds',
  'baths',
  'sqft-min',
  'sqft-max',
  'lot-min',
  'lot-max',
  'year-min',
  'year-max',
  'amenity',
  'keywords',
  'words',
  'sort',
  'page',
  'after',
  'bbox',
  'area',
  'map',
  'save',
  'q',
];

const VALUES = [
  '0',
  '1',
  '3',
  '500000',
  '999999999',
  '2,000',
  '0.5 acres',
  'pool',
  'garage',
  'newest',
  'price-up',
  '29,-98,30,-97',
  '29_-98_30_-98_30_-97',
  '29_-98_30_-97_29_-97_30_-98',
  '90_180_-90_-180_90_-180',
  `${'29.1_-98.1_'.repeat(59)}30_-97`,
];

/** The query of a list: what was typed is plausible, damaged, hostile or very long, and so are the filters beside it. */
export function hostileQuery(random: Random): URLSearchParams {
  const params = new URLSearchParams();
  if (random.percent(95)) params.set('q', text(random).slice(0, 4_000).toWellFormed());
  for (let left = random.below(5); left > 0; left -= 1)
    params.append(
      random.pick(PARAMS),
      (random.percent(60) ? random.pick(VALUES) : text(random)).slice(0, 1_000).toWellFormed(),
    );
  return params;
}

function text(random: Random): string {
  if (random.percent(8)) return random.pick(LONG).repeat(1 + random.below(2_000));
  const pieces = Array.from({ length: 1 + random.below(5) }, () =>
    random.percent(75) ? damaged(random, random.pick(PIECES)) : hostileText(random),
  );
  return pieces.join(random.pick([' ', ' ', ', ', '', '\t', ' - ']));
}

function damaged(random: Random, piece: string): string {
  if (random.percent(70)) return piece;
  const at = random.below(piece.length);
  return random.pick([
    () => piece.slice(0, at) + piece.slice(at + 1),
    () => piece.slice(0, at) + hostileText(random) + piece.slice(at),
    () => piece.toUpperCase(),
    () => piece.replace(/\d/g, () => String(random.below(10))),
    () => piece.repeat(1 + random.below(6)),
  ])();
}
