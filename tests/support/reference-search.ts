import type { AmenityKey } from '#features/search/amenities.ts';
import type { DrawnArea } from '#features/search/drawn-area.ts';
import type { SearchCriteria } from '#features/search/model.ts';
import { queryWords, searchText } from '#features/search/words.ts';

/** A listing as the slow but obviously correct reference search sees it. */
export interface ReferenceListing {
  id: string;
  title: string | null;
  address: string;
  city: string;
  state: string;
  zip: string;
  description: string;
  typeName: string | null;
  type_id: number | null;
  price_cents: number;
  bedrooms: number | null;
  bathrooms: number | null;
  square_feet: number | null;
  lot_square_feet: number | null;
  year_built: number | null;
  latitude: number | null;
  longitude: number | null;
  created_at: Date;
}

/** Finds all hits in list order by scanning every listing; misspellings are not corrected. */
export function referenceSearch(
  listings: readonly ReferenceListing[],
  criteria: SearchCriteria,
): ReferenceListing[] {
  const words = queryWords(criteria.text).map((word) => variants[word] ?? word);
  if (criteria.text.trim() !== '' && words.length === 0) return [];
  const inFilter = listings.filter((listing) => passes(listing, criteria)).sort(order(criteria));
  const having = (matches: (own: string, word: string) => boolean, asked = words) =>
    inFilter.filter((listing) => {
      const own = wordsOf(listing);
      return asked.every((word) => own.some((candidate) => matches(candidate, word)));
    });
  const there = placeOf(words, listings);
  const inPlace = there
    ? inFilter.filter(
        (listing) =>
          there.includes(listing) &&
          there.others.every((word) => wordsOf(listing).some((own) => own.startsWith(word))),
      )
    : [];
  if (inPlace.length > 0) return inPlace;
  for (const asked of [words, words.map((word) => streetForms[word] ?? word)]) {
    if (asked.length > 1 && asked.some((word) => /\d/.test(word))) {
      const numbered = having((own, word) => (/\d/.test(word) ? own === word : own.startsWith(word)), asked);
      if (numbered.length > 0) return numbered;
    }
    const beginning = having((own, word) => own.startsWith(word), asked);
    if (beginning.length > 0) return beginning;
  }
  return having((own, word) => (word.length > 2 ? own.includes(word) : own.startsWith(word)));
}

/** How else the streets and states of generated listings are written. */
const otherWords: Record<string, string> = {
  street: 'st',
  lane: 'ln',
  road: 'rd',
  court: 'ct',
  center: 'ctr',
};
/** How else they are typed; where the word means more, only when it is found nowhere as it is. */
const variants: Record<string, string> = { strt: 'st', crt: 'ct', cntr: 'ctr' };
const streetForms: Record<string, string> = { centr: 'ctr', centre: 'ctr' };
const stateNames: Record<string, string> = { TX: 'texas', NV: 'nevada', NH: 'new hampshire', UT: 'utah' };

/** What is the longest run of words that is the name of a city or state, the last one of several, unless it is in an address. */
function placeOf(
  words: readonly string[],
  listings: readonly ReferenceListing[],
): { includes(listing: ReferenceListing): boolean; others: string[] } | null {
  if (words.some((word) => /\d/.test(word) && !/^\d{5}$/.test(word))) return null;
  for (let length = words.length; length > 0; length--) {
    for (let from = words.length - length; from >= 0; from--) {
      const name = words.slice(from, from + length).join(' ');
      const others = [...words.slice(0, from), ...words.slice(from + length)];
      if (others.some((word) => /^(street|st|lane|road|court|ct|south|north|[nsew])$/.test(word))) continue;
      const includes = ({ city, state }: ReferenceListing) => {
        const [own, code, full] = [normalised(city), normalised(state), stateNames[state] ?? ''];
        return (
          [own, `${own} ${code}`, `${own} ${full}`, full].includes(name) ||
          (words.length === 1 && name === code)
        );
      };
      if (listings.some(includes)) return { includes, others };
    }
  }
  return null;
}

// Thousands of searches scan the same listings, and normalising their texts would be most of the work.
const knownWords = new WeakMap<ReferenceListing, string[]>();
const knownTexts = new Map<string, string>();

/** The normalised form of a text of which there are few, such as the name of a city. */
function normalised(text: string): string {
  const known = knownTexts.get(text) ?? searchText(text);
  knownTexts.set(text, known);
  return known;
}

/** All words of a listing, which must not change once it has been searched. */
function wordsOf(listing: ReferenceListing): string[] {
  const known = knownWords.get(listing);
  if (known) return known;
  const words = [
    listing.title ?? '',
    listing.address,
    ...searchText(listing.address)
      .split(' ')
      .map((word) => otherWords[word] ?? ''),
    listing.city,
    listing.state,
    stateNames[listing.state] ?? '',
    listing.zip,
    listing.description,
    listing.typeName ?? '',
  ].flatMap((text) => searchText(text).split(' ').filter(Boolean));
  knownWords.set(listing, words);
  return words;
}

/** The words of generated remarks that name an amenity. */
const amenityWords: Partial<Record<AmenityKey, RegExp>> = {
  garage: /\bgarage\b/,
  pool: /\bpools?\b/,
  horses: /\bbarn\b/,
};

const isWithin = (value: number | null, min: number | null, max: number | null): boolean =>
  (min === null && max === null) || (value !== null && value >= (min ?? 0) && value <= (max ?? Infinity));

function passesFurther(listing: ReferenceListing, criteria: SearchCriteria): boolean {
  const { minSqft, maxSqft, minLotSqft, maxLotSqft, minYear, maxYear, amenities, keywords } = criteria;
  const remarks = `${listing.title ?? ''} . ${listing.description}`;
  const words = wordsOf(listing);
  return (
    isWithin(listing.square_feet, minSqft, maxSqft) &&
    isWithin(listing.lot_square_feet, minLotSqft, maxLotSqft) &&
    isWithin(listing.year_built, minYear, maxYear) &&
    amenities.every((key) => amenityWords[key]?.test(remarks)) &&
    queryWords(keywords).every((word) => words.some((own) => own.startsWith(word)))
  );
}

function passes(listing: ReferenceListing, criteria: SearchCriteria): boolean {
  if (!passesFurther(listing, criteria)) return false;
  const { typeId, minCents, maxCents, minBeds, minBaths, bbox, area } = criteria;
  if (typeId !== null && listing.type_id !== typeId) return false;
  if (minCents !== null && listing.price_cents < minCents) return false;
  if (maxCents !== null && listing.price_cents > maxCents) return false;
  if (minBeds && (listing.bedrooms ?? -1) < minBeds) return false;
  if (minBaths && (listing.bathrooms ?? -1) < minBaths) return false;
  if (area && !isInConvexArea(area, listing)) return false;
  if (!bbox) return true;
  if (listing.latitude === null || listing.longitude === null) return false;
  if (listing.latitude < bbox.south || listing.latitude > bbox.north) return false;
  return listing.longitude >= bbox.west && listing.longitude <= bbox.east;
}

/** Whether a place is on the same side of every edge of an area that has no dents. */
function isInConvexArea(area: DrawnArea, { latitude, longitude }: ReferenceListing): boolean {
  if (latitude === null || longitude === null) return false;
  const sides = area.map((a, at) => {
    const b = area[(at + 1) % area.length] ?? a;
    return Math.sign(
      (b.longitude - a.longitude) * (latitude - a.latitude) -
        (longitude - a.longitude) * (b.latitude - a.latitude),
    );
  });
  return new Set(sides).size === 1;
}

function order({ sort }: SearchCriteria): (a: ReferenceListing, b: ReferenceListing) => number {
  const byId = (a: ReferenceListing, b: ReferenceListing) => (a.id < b.id ? -1 : 1);
  switch (sort) {
    case 'newest':
      return (a, b) => b.created_at.getTime() - a.created_at.getTime() || byId(a, b);
    case 'price-up':
      return (a, b) => a.price_cents - b.price_cents || byId(a, b);
    case 'price-down':
      return (a, b) => b.price_cents - a.price_cents || byId(b, a);
    case 'largest':
      return (a, b) => (b.square_feet ?? -1) - (a.square_feet ?? -1) || byId(a, b);
  }
}
