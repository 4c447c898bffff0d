import { type PropertiesQuery, queryString } from './paths.ts';

/** What the list of properties loads later, and so need not be in its first scripts. */
export const searchPaths = {
  /** how many properties match a search, as JSON */
  count: (query: PropertiesQuery) => `/api/count${queryString({ ...query, page: undefined })}`,
  /** the cards of single listings on the map, as JSON */
  mapCards: (id: readonly string[]) => `/api/map/cards${queryString({ id })}`,
  /** watched properties side by side, under the path of the reader's role */
  compare: (role: 'buyer' | 'agent' | 'admin', property: readonly string[] = []) =>
    `/${role}/compare${queryString({ property })}`,
} as const;
