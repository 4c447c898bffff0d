import type { BuildingStyle } from '#illustrator/building-styles.ts';
import type { PropertyKind } from '#illustrator/illustration-key.ts';
import { pick, type Random, randomBetween } from '#illustrator/random.ts';
import { pickWeighted } from '../ids.ts';
import type { Town } from '../towns.ts';
import { LOT_SIZES } from '../words/lots.ts';
import { type ListingSpec, SQUARE_FEET_PER_ACRE } from './listing-spec.ts';

type Measures = Pick<
  ListingSpec,
  | 'bedrooms'
  | 'bathrooms'
  | 'halfBaths'
  | 'squareFeet'
  | 'lotSquareFeet'
  | 'yearBuilt'
  | 'units'
  | 'acres'
  | 'priceCents'
>;

const randomWhole = (random: Random, low: number, high: number) =>
  Math.floor(randomBetween(random, low, high + 1));
const roundToTens = (value: number) => Math.round(value / 10) * 10;

/** Typical values of a house style: bedrooms, years, dollars per square foot in an average town. */
const HOMES: Partial<
  Record<BuildingStyle, { beds: readonly number[]; years: readonly [number, number]; rate: number }>
> = {
  farmhouse: { beds: [3, 4, 4, 5], years: [1884, 1938], rate: 215 },
  cottage: { beds: [2, 2, 3, 3], years: [1908, 1948], rate: 250 },
  ranch: { beds: [2, 3, 3, 4], years: [1949, 1974], rate: 232 },
  modern: { beds: [3, 4, 4, 5], years: [1998, 2023], rate: 282 },
  'a-frame': { beds: [1, 2, 2, 3], years: [1962, 1984], rate: 290 },
  'barn house': { beds: [3, 4, 5, 6], years: [1996, 2021], rate: 262 },
};
const AVERAGE_HOME = { beds: [3], years: [1950, 2000], rate: 230 } as const;

const SHOPS: Partial<
  Record<BuildingStyle, { area: readonly [number, number]; years: readonly [number, number]; rate: number }>
> = {
  storefront: { area: [2400, 6800], years: [1888, 1926], rate: 225 },
  'trading post': { area: [1800, 4200], years: [1876, 1912], rate: 200 },
  workshop: { area: [5200, 21_000], years: [1902, 1948], rate: 118 },
};
const AVERAGE_SHOP = { area: [2000, 5000], years: [1900, 1950], rate: 180 } as const;

/** Plausible size, age and price for a kind of property, its style and its town. */
export function measure(random: Random, kind: PropertyKind, style: BuildingStyle, town: Town): Measures {
  if (kind === 'Single Family') return home(random, style, town);
  if (kind === 'Multi-Family') return block(random, style, town);
  return kind === 'Commercial' ? shop(random, style, town) : lot(random, town);
}

function home(random: Random, style: BuildingStyle, town: Town): Measures {
  const { beds, years, rate } = HOMES[style] ?? AVERAGE_HOME;
  const bedrooms = pick(random, beds);
  const squareFeet = roundToTens(380 + bedrooms * randomBetween(random, 430, 690));
  const acres = pickWeighted(random, [
    { acres: randomBetween(random, 0.12, 0.4), weight: 6 },
    { acres: randomBetween(random, 0.5, 2), weight: 3 },
    { acres: randomBetween(random, 3, 18), weight: 1.4 },
  ]).acres;
  const condition = randomBetween(random, 0.86, 1.16);
  const value = squareFeet * rate * condition * town.priceLevel + Math.sqrt(acres) * 42_000 * town.priceLevel;
  return {
    bedrooms,
    bathrooms: Math.max(1, Math.round(bedrooms * randomBetween(random, 0.55, 0.9))),
    halfBaths: random() < 0.32 ? 1 : 0,
    squareFeet,
    lotSquareFeet: roundToTens(acres * SQUARE_FEET_PER_ACRE),
    yearBuilt: randomWhole(random, years[0], years[1]),
    units: 1,
    acres: null,
    priceCents: askingPriceCents(random, value),
  };
}

function block(random: Random, style: BuildingStyle, town: Town): Measures {
  const row = style === 'row houses';
  const units = row ? 5 : randomWhole(random, 8, style === 'walk-up' ? 20 : 16);
  const bedroomsEach = row ? 2 : pick(random, [1, 1, 2]);
  const each = row ? randomBetween(random, 1250, 1600) : 380 + bedroomsEach * randomBetween(random, 190, 260);
  const perUnit =
    (row ? randomBetween(random, 255_000, 345_000) : 92_000 + bedroomsEach * 34_000) * town.priceLevel;
  return {
    bedrooms: units * bedroomsEach,
    bathrooms: units,
    halfBaths: 0,
    squareFeet: roundToTens(units * each),
    lotSquareFeet: roundToTens(units * randomBetween(random, 900, 1800)),
    yearBuilt: row ? randomWhole(random, 1886, 1914) : randomWhole(random, 1908, 1968),
    units,
    acres: null,
    priceCents: askingPriceCents(random, units * perUnit * randomBetween(random, 0.9, 1.15)),
  };
}

function shop(random: Random, style: BuildingStyle, town: Town): Measures {
  const { area, years, rate } = SHOPS[style] ?? AVERAGE_SHOP;
  const squareFeet = roundToTens(randomBetween(random, area[0], area[1]));
  return {
    bedrooms: 0,
    bathrooms: randomWhole(random, 1, squareFeet > 6000 ? 4 : 2),
    halfBaths: random() < 0.25 ? 1 : 0,
    squareFeet,
    lotSquareFeet: roundToTens(squareFeet * randomBetween(random, 0.8, 2.4)),
    yearBuilt: randomWhole(random, years[0], years[1]),
    units: 0,
    acres: null,
    priceCents: askingPriceCents(
      random,
      squareFeet * rate * town.priceLevel * randomBetween(random, 0.85, 1.18),
    ),
  };
}

function lot(random: Random, town: Town): Measures {
  const { acres, words } = pickWeighted(random, LOT_SIZES);
  const value = 96_000 * acres ** 0.52 * town.priceLevel * randomBetween(random, 0.78, 1.3);
  return {
    bedrooms: 0,
    bathrooms: 0,
    halfBaths: 0,
    squareFeet: null,
    lotSquareFeet: Math.round(acres * SQUARE_FEET_PER_ACRE),
    yearBuilt: null,
    units: 0,
    acres: { count: acres, words },
    priceCents: askingPriceCents(random, value),
  };
}

/** Rounds dollars to an asking price in cents: usually full thousands, sometimes five hundred. */
function askingPriceCents(random: Random, dollars: number): number {
  const thousands = Math.round(dollars / 1000) * 1000;
  return (random() < 0.18 ? thousands - 500 : thousands) * 100;
}
