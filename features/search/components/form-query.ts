import type { PropertiesQuery } from '#routing/paths.ts';

/** The query that the form of the list would ask for. */
export const queryOfForm = (form: HTMLFormElement): PropertiesQuery => {
  const fields = new FormData(form);
  return { ...Object.fromEntries(fields), amenity: fields.getAll('amenity') as string[] };
};
