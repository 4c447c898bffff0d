import type { BuildingStyle } from '#illustrator/building-styles.ts';
import { type Random, randomInt } from '#illustrator/random.ts';
import type { ListingSpec } from './listing-spec.ts';

/** Values of the `{placeholders}` in a sentence. Null where one does not apply to the listing. */
export type Slots = Record<string, string | null>;

const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
];
const inWords = (count: number): string => NUMBERS[count] ?? String(count);

const NOUNS: Partial<Record<BuildingStyle, string>> = {
  modern: 'modern house',
  'a-frame': 'A-frame',
  'row houses': 'row of houses',
  courtyard: 'courtyard building',
  storefront: 'corner shop',
};
const grouped = new Intl.NumberFormat('en-US');
/** No sentence mentions a later year than this. */
const LATEST_YEAR = 2025;

export function slotsOf(random: Random, spec: ListingSpec): Slots {
  const { town, yearBuilt, units } = spec;
  const recent = Math.max((yearBuilt ?? 0) + 4, 2014 + randomInt(random, 11));
  const soldYear = Math.max((yearBuilt ?? 0) + 6, 1976 + randomInt(random, 30));
  const monthlyRent = 700 + randomInt(random, 60) * 10;
  return {
    town: town.name,
    street: spec.street,
    view: town.view,
    water: town.water,
    landmark: town.landmark,
    noun: NOUNS[spec.style] ?? spec.style,
    beds: spec.bedrooms ? inWords(spec.bedrooms) : null,
    year: yearBuilt === null ? null : String(yearBuilt),
    units: units > 1 ? inWords(units) : null,
    sqft: spec.squareFeet === null ? null : grouped.format(spec.squareFeet),
    acres: spec.acres?.words ?? null,
    recent: recent <= LATEST_YEAR ? String(recent) : null,
    soldYear: soldYear <= 2008 ? String(soldYear) : null,
    roofAge: inWords(2 + randomInt(random, 10)),
    parking: inWords(4 + randomInt(random, 8)),
    rent: units > 1 ? `$${grouped.format(units * monthlyRent * 12)}` : null,
  };
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Fills the placeholders of a sentence; `{Name}` capitalises the value. Empty when a placeholder does not apply.
 * @throws Error for an unknown placeholder
 */
export function fillSlots(sentence: string, slots: Slots): string {
  let fits = true;
  const text = sentence.replaceAll(/\{(\w)(\w*)\}/g, (_slot, first: string, rest: string) => {
    const value = slots[first.toLowerCase() + rest];
    if (value === undefined) throw new Error(`No slot {${first}${rest}}`);
    if (value === null) fits = false;
    return first === first.toLowerCase() ? (value ?? '') : capitalize(value ?? '');
  });
  return fits ? text : '';
}
