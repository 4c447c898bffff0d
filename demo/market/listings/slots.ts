import { below, type Chance } from '../../illustrator/chance.ts';
import type { Front } from '../../illustrator/fronts.ts';
import type { Sketch } from './sketch.ts';

/** What stands between braces in a sentence; a sentence with a slot that is null does not fit the listing. */
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
export const inWords = (count: number): string => NUMBERS[count] ?? String(count);

const NOUNS: Partial<Record<Front, string>> = {
  modern: 'modern house',
  'a-frame': 'A-frame',
  'row houses': 'row of houses',
  courtyard: 'courtyard building',
  storefront: 'corner shop',
};
const grouped = new Intl.NumberFormat('en-US');
/** No sentence speaks of a year after this one. */
const LATEST_YEAR = 2025;

export function slotsOf(chance: Chance, sketch: Sketch): Slots {
  const { town, yearBuilt, units } = sketch;
  const recent = Math.max((yearBuilt ?? 0) + 4, 2014 + below(chance, 11));
  const soldYear = Math.max((yearBuilt ?? 0) + 6, 1976 + below(chance, 30));
  const monthlyRent = 700 + below(chance, 60) * 10;
  return {
    town: town.name,
    street: sketch.street,
    view: town.view,
    water: town.water,
    landmark: town.landmark,
    noun: NOUNS[sketch.front] ?? sketch.front,
    beds: sketch.bedrooms ? inWords(sketch.bedrooms) : null,
    year: yearBuilt === null ? null : String(yearBuilt),
    units: units > 1 ? inWords(units) : null,
    sqft: sketch.squareFeet === null ? null : grouped.format(sketch.squareFeet),
    acres: sketch.acres?.words ?? null,
    recent: recent <= LATEST_YEAR ? String(recent) : null,
    soldYear: soldYear <= 2008 ? String(soldYear) : null,
    roofAge: inWords(2 + below(chance, 10)),
    parking: inWords(4 + below(chance, 8)),
    rent: units > 1 ? `$${grouped.format(units * monthlyRent * 12)}` : null,
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Puts the slots into a sentence; `{Name}` with a capital starts with one. Empty when a slot does not apply.
 * @throws Error for a slot that does not exist
 */
export function fill(sentence: string, slots: Slots): string {
  let fits = true;
  const text = sentence.replaceAll(/\{(\w)(\w*)\}/g, (_slot, first: string, rest: string) => {
    const value = slots[first.toLowerCase() + rest];
    if (value === undefined) throw new Error(`No slot {${first}${rest}}`);
    if (value === null) fits = false;
    return first === first.toLowerCase() ? (value ?? '') : capital(value ?? '');
  });
  return fits ? text : '';
}
