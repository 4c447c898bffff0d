import type { PropertiesQuery } from '#routing/paths.ts';
import { type AmenityKey, amenityLabels } from '../model.ts';

/** A filter that the URL has set, and what of the query changes without it. */
interface FilterChip {
  label: string;
  without: PropertiesQuery;
}

type Bound = number | string | undefined;

/** A number as typed, grouped; acres and the like as typed; null for what is no number. */
function shown(value: Bound, show: (number: string) => string): string | null {
  const text = String(value ?? '').trim();
  if (/[a-z]/i.test(text) && /^[\d.]/.test(text)) return text;
  const number = Number(text.replaceAll(',', ''));
  return text === '' || !Number.isFinite(number) || number < 0 ? null : show(number.toLocaleString('en-US'));
}

/** 'from 5', 'up to 7' or '5 to 7'; null without bounds. */
function range(
  [min, max]: readonly [Bound, Bound],
  show: (number: string) => string,
  [from, to] = ['From', 'Up to'],
): string | null {
  const [least, most] = [shown(min, show), shown(max, show)];
  if (least !== null && most !== null) return `${least.replace(/ sqft$/, '')} to ${most}`;
  if (least !== null) return `${from} ${least}`;
  return most === null ? null : `${to} ${most}`;
}

const startingWith = (start: string, text: string | null) => text && `${start} ${text}`;

/** A chip for each filter of the query beside text, type and place. */
export function filterChips(query: PropertiesQuery): FilterChip[] {
  const of = (label: string | null | undefined | false, without: PropertiesQuery): FilterChip[] =>
    label ? [{ label, without }] : [];
  const rooms = (count: Bound, name: string) => {
    const least = shown(count, (number) => `${number}+ ${name}`);
    return Number(count) > 0 ? least : null;
  };
  const year = (value: Bound) => (value ? String(value) : undefined);
  const [since, by] = [year(query['year-min']), year(query['year-max'])];
  const built =
    since && by
      ? `Built ${since} to ${by}`
      : since
        ? `Built since ${since}`
        : startingWith('Built by', by ?? null);
  const sqft = (number: string) => `${number} sqft`;
  return [
    ...of(
      range([query.min, query.max], (number) => `$${number}`),
      { min: undefined, max: undefined },
    ),
    ...of(rooms(query.beds, 'beds'), { beds: undefined }),
    ...of(rooms(query.baths, 'baths'), { baths: undefined }),
    ...of(range([query['sqft-min'], query['sqft-max']], sqft), {
      'sqft-min': undefined,
      'sqft-max': undefined,
    }),
    ...of(startingWith('Lot', range([query['lot-min'], query['lot-max']], sqft, ['from', 'up to'])), {
      'lot-min': undefined,
      'lot-max': undefined,
    }),
    ...of(built, { 'year-min': undefined, 'year-max': undefined }),
    ...(query.amenity ?? []).flatMap((key) =>
      of(Object.hasOwn(amenityLabels, key) && amenityLabels[key as AmenityKey], {
        amenity: query.amenity?.filter((other) => other !== key),
      }),
    ),
    ...of(query.keywords && `“${query.keywords}”`, { keywords: undefined }),
  ];
}
