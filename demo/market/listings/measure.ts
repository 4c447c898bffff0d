import type { PropertyKind } from '../../illustrator/address.ts';
import { between, type Chance, pick } from '../../illustrator/chance.ts';
import type { Front } from '../../illustrator/fronts.ts';
import { weighted } from '../ids.ts';
import type { Town } from '../towns.ts';
import { LOT_SIZES } from '../words/lots.ts';
import { type Sketch, SQUARE_FEET_PER_ACRE } from './sketch.ts';

type Measures = Pick<
  Sketch,
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

const whole = (chance: Chance, low: number, high: number) => Math.floor(between(chance, low, high + 1));
const tens = (value: number) => Math.round(value / 10) * 10;

/** What a style of house is like: bedrooms, years, dollars a square foot in an average town. */
const HOMES: Partial<
  Record<Front, { beds: readonly number[]; years: readonly [number, number]; rate: number }>
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
  Record<Front, { area: readonly [number, number]; years: readonly [number, number]; rate: number }>
> = {
  storefront: { area: [2400, 6800], years: [1888, 1926], rate: 225 },
  'trading post': { area: [1800, 4200], years: [1876, 1912], rate: 200 },
  workshop: { area: [5200, 21_000], years: [1902, 1948], rate: 118 },
};
const AVERAGE_SHOP = { area: [2000, 5000], years: [1900, 1950], rate: 180 } as const;

/** Size, age and price that fit a kind of property, its front and its town. */
export function measure(chance: Chance, kind: PropertyKind, front: Front, town: Town): Measures {
  if (kind === 'Single Family') return home(chance, front, town);
  if (kind === 'Multi-Family') return block(chance, front, town);
  return kind === 'Commercial' ? shop(chance, front, town) : lot(chance, town);
}

function home(chance: Chance, front: Front, town: Town): Measures {
  const { beds, years, rate } = HOMES[front] ?? AVERAGE_HOME;
  const bedrooms = pick(chance, beds);
  const squareFeet = tens(380 + bedrooms * between(chance, 430, 690));
  const acres = weighted(chance, [
    { acres: between(chance, 0.12, 0.4), weight: 6 },
    { acres: between(chance, 0.5, 2), weight: 3 },
    { acres: between(chance, 3, 18), weight: 1.4 },
  ]).acres;
  const condition = between(chance, 0.86, 1.16);
  const value = squareFeet * rate * condition * town.priceLevel + Math.sqrt(acres) * 42_000 * town.priceLevel;
  return {
    bedrooms,
    bathrooms: Math.max(1, Math.round(bedrooms * between(chance, 0.55, 0.9))),
    halfBaths: chance() < 0.32 ? 1 : 0,
    squareFeet,
    lotSquareFeet: tens(acres * SQUARE_FEET_PER_ACRE),
    yearBuilt: whole(chance, years[0], years[1]),
    units: 1,
    acres: null,
    priceCents: asking(chance, value),
  };
}

function block(chance: Chance, front: Front, town: Town): Measures {
  const row = front === 'row houses';
  const units = row ? 5 : whole(chance, 8, front === 'walk-up' ? 20 : 16);
  const bedroomsEach = row ? 2 : pick(chance, [1, 1, 2]);
  const each = row ? between(chance, 1250, 1600) : 380 + bedroomsEach * between(chance, 190, 260);
  const perUnit =
    (row ? between(chance, 255_000, 345_000) : 92_000 + bedroomsEach * 34_000) * town.priceLevel;
  return {
    bedrooms: units * bedroomsEach,
    bathrooms: units,
    halfBaths: 0,
    squareFeet: tens(units * each),
    lotSquareFeet: tens(units * between(chance, 900, 1800)),
    yearBuilt: row ? whole(chance, 1886, 1914) : whole(chance, 1908, 1968),
    units,
    acres: null,
    priceCents: asking(chance, units * perUnit * between(chance, 0.9, 1.15)),
  };
}

function shop(chance: Chance, front: Front, town: Town): Measures {
  const { area, years, rate } = SHOPS[front] ?? AVERAGE_SHOP;
  const squareFeet = tens(between(chance, area[0], area[1]));
  return {
    bedrooms: 0,
    bathrooms: whole(chance, 1, squareFeet > 6000 ? 4 : 2),
    halfBaths: chance() < 0.25 ? 1 : 0,
    squareFeet,
    lotSquareFeet: tens(squareFeet * between(chance, 0.8, 2.4)),
    yearBuilt: whole(chance, years[0], years[1]),
    units: 0,
    acres: null,
    priceCents: asking(chance, squareFeet * rate * town.priceLevel * between(chance, 0.85, 1.18)),
  };
}

function lot(chance: Chance, town: Town): Measures {
  const { acres, words } = weighted(chance, LOT_SIZES);
  const value = 96_000 * acres ** 0.52 * town.priceLevel * between(chance, 0.78, 1.3);
  return {
    bedrooms: 0,
    bathrooms: 0,
    halfBaths: 0,
    squareFeet: null,
    lotSquareFeet: Math.round(acres * SQUARE_FEET_PER_ACRE),
    yearBuilt: null,
    units: 0,
    acres: { count: acres, words },
    priceCents: asking(chance, value),
  };
}

/** Asking prices end in thousands, now and then in five hundred. Dollars in, cents out. */
function asking(chance: Chance, dollars: number): number {
  const thousands = Math.round(dollars / 1000) * 1000;
  return (chance() < 0.18 ? thousands - 500 : thousands) * 100;
}
