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
