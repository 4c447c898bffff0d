import { type AmenityKey, amenityLabels } from './amenities.ts';
import type { SearchableType, SearchSort } from './model.ts';

/** What the words of a search ask for beside words: filters and an order. Prices are the buyer's totals, in cents. */
export interface Asked {
  minCents: number | null;
  maxCents: number | null;
  minBeds: number | null;
  minBaths: number | null;
  minSqft: number | null;
  maxSqft: number | null;
  minLotSqft: number | null;
  maxLotSqft: number | null;
  minYear: number | null;
  maxYear: number | null;
  amenities: readonly AmenityKey[];
  type: SearchableType | null;
  sort: SearchSort | null;
}

/** A part of the text with what it asks for. */
export interface Found {
  start: number;
  end: number;
  label: string;
  asks: Partial<Asked>;
}

const SQUARE_FEET_PER_ACRE = 43_560;
const NUMBER = String.raw`(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?|\.\d+)\s?(k)?`;
const SQFT = String.raw`(?:sq\.?\s?(?:ft|feet)\.?|square\s(?:feet|foot)|sqft|sf)`;
const ACRES = String.raw`(?:acres?|ac\b)`;
const ATLEAST = String.raw`(?:at least|over|above|more than|min(?:imum)?(?: of)?|from|bigger than|larger than|>=?)\s?`;
const ATMOST = String.raw`(?:under|below|less than|up to|at most|max(?:imum)?(?: of)?|smaller than|<=?)\s?`;
const ORMORE = String.raw`(?:\s?\+|\s+or more|\s+plus)`;
const RANGE = String.raw`(?:\s?(?:-|–|to|and)\s?)`;
const LOT_AFTER = String.raw`(?:\s+(?:lots?|of land|land)\b)?`;
const pattern = (source: string) => new RegExp(String.raw`(?<![\w$./])${source}`, 'gi');

/** Each: how many bounds it names, and which. */
const areaPatterns = (unit: string): [RegExp, 'range' | 'most' | 'least'][] => [
  [
    pattern(`(?:between\\s+|from\\s+)?${NUMBER}(?:\\s?${unit})?${RANGE}${NUMBER}\\s?${unit}${LOT_AFTER}`),
    'range',
  ],
  [pattern(`${ATMOST}${NUMBER}\\s?${unit}${LOT_AFTER}`), 'most'],
  [pattern(`(?:${ATLEAST})?${NUMBER}${ORMORE}?[\\s-]?${unit}${ORMORE}?${LOT_AFTER}`), 'least'],
];
const inSquareFeet = areaPatterns(SQFT);
const inAcres = areaPatterns(ACRES);
const FRACTIONS: readonly [string, number][] = [
  ['an?', 1],
  ['half(?: an?)?|1/2|½', 0.5],
  ['quarter(?: of an?)?|1/4|¼', 0.25],
  ['three[\\s-]quarters?(?: of an?)?|3/4|¾', 0.75],
];
/** The groups: at most, whole acres, and each of the fractions. */
const fraction = pattern(
  String.raw`(?:${ATLEAST}|(${ATMOST}))?(?:(\d{1,2})\s+)?(?:${FRACTIONS.map(([words]) => `(${words})`).join('|')})[\s-]acres?\b${LOT_AFTER}`,
);

const YEAR = String.raw`(1[6-9]\d\d|20\d\d)`;
const BUILT = String.raw`(?:(?:built|constructed|build|year built)\s+)`;
/** Each: the words with a year, and the bounds that it means. */
const years: [RegExp, (year: number) => Partial<Asked>][] = [
  [pattern(`(?:${BUILT}after|newer than)\\s+${YEAR}\\b`), (year) => ({ minYear: year + 1 })],
  [pattern(`${BUILT}(?:since|from)\\s+${YEAR}\\b`), (year) => ({ minYear: year })],
  [pattern(`${BUILT}(?:in\\s+)?${YEAR}\\s*(?:\\+|or (?:later|newer))`), (year) => ({ minYear: year })],
  [pattern(`(?:${BUILT}before|older than)\\s+${YEAR}\\b`), (year) => ({ maxYear: year - 1 })],
  [pattern(`${BUILT}in\\s+the\\s+(\\d{3}0)s\\b`), (year) => ({ minYear: year, maxYear: year + 9 })],
  [
    pattern(`${BUILT}(?:in\\s+)?${YEAR}\\b(?!\\s*(?:-|–|to|and)\\s*\\d)`),
    (year) => ({ minYear: year, maxYear: year }),
  ],
];
const builtBetween = pattern(`${BUILT}(?:between\\s+|from\\s+)?${YEAR}${RANGE}${YEAR}\\b`);

/** What people call an amenity, where the word means little else. */
const amenityWords: [AmenityKey, string][] = [
  ['pool', '(?:swimming\\s+)?pools?'],
  ['garage', '(?:(?:attached|detached|\\d[\\s-]car|two[\\s-]car|three[\\s-]car)\\s+)?garages?'],
  [
    'waterfront',
    '(?:on the (?:water|lake|river|ocean|beach)|(?:water|lake|ocean|river|beach|bay)[\\s-]?front(?:age)?)',
  ],
  ['water-view', '(?:water|ocean|lake|river|bay|harbor|sea)[\\s-]views'],
  ['mountain-view', 'mountain\\sviews'],
  ['fireplace', '(?:wood[\\s-]burning\\s+)?fire\\s?places?'],
  ['basement', '(?:finished\\s+)?basements?'],
  ['air-conditioning', 'air[\\s-]?condition(?:ing|ed|er)|central air'],
  ['solar', 'solar(?:\\s(?:power|panels?))?'],
  ['ev-charger', 'ev[\\s-]charg(?:er|ing)'],
  ['fenced-yard', '(?:fenced(?:[\\s-]in)?(?:\\s(?:back)?yard)?)'],
  ['balcony', 'balcon(?:y|ies)'],
  ['hot-tub', 'hot\\stubs?|saunas?|jacuzzis?'],
  ['guest-house', 'guest\\s?(?:house|suite|cottage)|in[\\s-]law\\s(?:suite|unit|apartment)|\\badus?'],
  ['accessible', 'wheelchair(?:[\\s-]accessible|\\saccess)?'],
  ['gated', 'gated(?:\\scommunit(?:y|ies))?'],
  ['furnished', 'furnished'],
  ['new-construction', 'new(?:ly)?[\\s-](?:construction|built|builds?)|brand new(?:\\shomes?)?'],
  ['fixer-upper', 'fixer[\\s-]?uppers?|handyman specials?'],
];
/** Those whose word is part of many names of places: only after 'with' or beside another one. */
const introducedWords: [AmenityKey, string][] = [
  ['garden', 'gardens?'],
  ['parking', '(?:off[\\s-]street\\s+)?parking'],
  ['dock', '(?:boat\\s+)?docks?'],
  ['patio', 'patios?|decks?'],
  ['porch', 'porch(?:es)?'],
  ['laundry', 'laundry(?:\\sroom)?'],
  ['workshop', 'workshops?'],
  ['horses', 'barns?|stables?|horse(?:s|\\sproperty)?'],
  ['elevator', 'elevators?'],
  ['mountain-view', 'mountain\\sview'],
  ['water-view', '(?:water|ocean|lake|river|bay|harbor|sea)[\\s-]view'],
];
const INTRODUCTION = String.raw`(?:with|has|having|and|&|plus|including|,)\s+(?:an?\s+|the\s+)?(?:\w+\s+)?`;
const amenityPatterns: [AmenityKey, RegExp][] = [
  ...amenityWords.map(([key, words]): [AmenityKey, RegExp] => [
    key,
    new RegExp(`(?<![\\w-])(?:${words})(?![\\w-])`, 'gi'),
  ]),
  ...introducedWords.map(([key, words]): [AmenityKey, RegExp] => [
    key,
    new RegExp(`(?<=(?<![\\w-])${INTRODUCTION})(?:${words})(?![\\w-])`, 'gi'),
  ]),
];
/** A house number before, or a street's suffix or the word of a place after: the word is part of a name. */
const afterNumber = /\d\s+(?:(?:[nsew]{1,2}\.?|(?:north|south)(?:east|west)?|east|west)\s+)?$/i;
const beforeName =
  /^\s+(?:st(?!\.?\s+\w)|street|ave?|avenue|rd|road|dr|drive|ln|lane|blvd|way|ct|court|pl|place|park|hwy|cir|circle|ter|terrace|trail|trl|loop|pkwy|city|village|heights|district)\b/i;
const denied = /(?:\bno|\bnot|\bwithout(?:\s+an?)?)\s+(?:\w+\s+)?$/i;

/** True in 'no pool', 'without a garage': not asked for, and left to the words. */
export const isDenied = (text: string, { start }: Pick<Found, 'start'>): boolean =>
  denied.test(text.slice(0, start));

const number = (digits: string | undefined, thousand: string | undefined): number =>
  Number((digits ?? '').replaceAll(',', '')) * (thousand ? 1_000 : 1);
const spanOf = (match: RegExpExecArray) => ({ start: match.index, end: match.index + match[0].length });
const grouped = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

/** Square feet, acres, the year built and amenities that a text asks for. */
export const factsIn = (text: string): Found[] => [
  ...areas(text, inSquareFeet, 'sqft', 1),
  ...areas(text, inAcres, 'acres', SQUARE_FEET_PER_ACRE),
  ...fractionsOfAcres(text),
  ...yearsIn(text),
  ...amenitiesIn(text),
];

function areas(
  text: string,
  patterns: ReturnType<typeof areaPatterns>,
  unit: 'sqft' | 'acres',
  factor: number,
): Found[] {
  return patterns.flatMap(([words, kind]) =>
    [...text.matchAll(words)].flatMap((match): Found[] => {
      const [whole, first, firstK, second, secondK] = match;
      const [one, two] = [number(first, firstK ?? secondK), number(second, secondK)];
      const isLot = unit === 'acres' || /(?:lots?|land)$/i.test(whole);
      const low = kind === 'most' ? null : one;
      const high = kind === 'most' ? one : kind === 'range' ? two : null;
      if (low !== null && high !== null && low > high) return [];
      // 'Acres Road' is a street.
      if (beforeName.test(text.slice(match.index + whole.length))) return [];
      const name = isLot && unit === 'sqft' ? 'sqft lot' : unit;
      return [
        { ...spanOf(match), label: rangeLabel(low, high, name), asks: bounds(isLot, low, high, factor) },
      ];
    }),
  );
}

function bounds(isLot: boolean, low: number | null, high: number | null, factor: number): Partial<Asked> {
  const from = low === null ? null : Math.floor(low * factor);
  const to = high === null ? null : Math.ceil(high * factor);
  return {
    ...(from !== null && (isLot ? { minLotSqft: from } : { minSqft: from })),
    ...(to !== null && (isLot ? { maxLotSqft: to } : { maxSqft: to })),
  };
}

function rangeLabel(low: number | null, high: number | null, unit: string): string {
  if (low !== null && high !== null) return `${grouped(low)} to ${grouped(high)} ${unit}`;
  if (low !== null) return `${grouped(low)}+ ${unit}`;
  return high === 1 && unit === 'acres' ? 'Up to 1 acre' : `Up to ${grouped(high ?? 0)} ${unit}`;
}

const fractionsOfAcres = (text: string): Found[] =>
  [...text.matchAll(fraction)].flatMap((match) => {
    const span = spanOf(match);
    // 'Half Acre Road' is a street.
    if (beforeName.test(text.slice(span.end))) return [];
    const [, isMost, whole, ...parts] = match;
    const at = parts.findIndex((part) => part !== undefined);
    const acres = Number(whole ?? 0) + (FRACTIONS[at]?.[1] ?? 0);
    const [low, high] = isMost ? [null, acres] : [acres, null];
    return [
      { ...span, label: rangeLabel(low, high, 'acres'), asks: bounds(true, low, high, SQUARE_FEET_PER_ACRE) },
    ];
  });

function yearsIn(text: string): Found[] {
  const between = [...text.matchAll(builtBetween)].map((match): Found => {
    const [minYear = 0, maxYear = 0] = [Number(match[1]), Number(match[2])].sort((a, b) => a - b);
    return { ...spanOf(match), label: yearLabel({ minYear, maxYear }), asks: { minYear, maxYear } };
  });
  const others = years.flatMap(([words, asks]) =>
    [...text.matchAll(words)].map((match): Found => {
      const asked = asks(Number(match[1]));
      return { ...spanOf(match), label: yearLabel(asked), asks: asked };
    }),
  );
  return [...between, ...others];
}

function yearLabel({ minYear = null, maxYear = null }: Partial<Asked>): string {
  if (minYear !== null && minYear === maxYear) return `Built in ${minYear}`;
  if (minYear !== null && maxYear !== null) return `Built ${minYear} to ${maxYear}`;
  return minYear === null ? `Built ${maxYear} or earlier` : `Built ${minYear} or later`;
}

const amenitiesIn = (text: string): Found[] =>
  amenityPatterns.flatMap(([key, words]) =>
    [...text.matchAll(words)]
      .map((match): Found => ({ ...spanOf(match), label: amenityLabels[key], asks: { amenities: [key] } }))
      .filter(({ start, end }) => {
        const before = text.slice(0, start);
        return !afterNumber.test(before) && !isDenied(text, { start }) && !beforeName.test(text.slice(end));
      }),
  );
