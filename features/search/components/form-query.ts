import type { PropertiesQuery } from '#routing/paths.ts';

/**
 * The query that the fields of the list's form ask for.
 * @param shown the query of the list; that its text is searched for as words does not hold for another text
 */
export const queryOfFields = (fields: FormData, shown: PropertiesQuery): PropertiesQuery => ({
  ...Object.fromEntries(fields),
  amenity: fields.getAll('amenity') as string[],
  words: fields.get('q') === (shown.q ?? '') ? shown.words : undefined,
});

/** The query of a list's URL, for links that change one part of it. The type may be none that there is, or one under a former name. */
export function queryOfParams(params: URLSearchParams): PropertiesQuery {
  const names = [
    'q',
    'type',
    'sort',
    'bbox',
    'area',
    'map',
    'words',
    'min',
    'max',
    'beds',
    'baths',
    'keywords',
  ];
  const ranges = ['sqft-min', 'sqft-max', 'lot-min', 'lot-max', 'year-min', 'year-max'];
  const amenity = params.getAll('amenity');
  return {
    ...Object.fromEntries(
      [...names, ...ranges].flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : [])),
    ),
    ...(amenity.length > 0 && { amenity }),
  };
}
