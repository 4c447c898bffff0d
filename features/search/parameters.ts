import { amenityKeys } from './amenities.ts';
import { sorts } from './model.ts';

interface SearchParameter {
  /** for programs, in the description of the endpoints that read it */
  description: string;
  type: 'string' | 'integer';
  values?: readonly string[];
  /** may be given several times */
  repeats?: true;
  /** says which page of the list is wanted, not what is in it */
  ofList?: true;
}

const area = 'in square feet, or in acres with the unit, such as “0.5 acres”';

/** Everything that a search in a URL can say; `parseCriteria` reads these parameters and no others. */
export const searchParameters = {
  q: { description: 'Words, as in the list of properties', type: 'string' },
  words: { description: '1: all of q is words, whatever it could ask for', type: 'string', values: ['1'] },
  keywords: { description: 'Words that the listing must have as well', type: 'string' },
  type: { description: 'The slug of a property type', type: 'string' },
  min: { description: 'Lowest total price in whole dollars', type: 'integer' },
  max: { description: 'Highest total price in whole dollars', type: 'integer' },
  beds: { description: 'Bedrooms at least', type: 'integer' },
  baths: { description: 'Bathrooms at least', type: 'integer' },
  'sqft-min': { description: `Living area at least, ${area}`, type: 'string' },
  'sqft-max': { description: `Living area at most, ${area}`, type: 'string' },
  'lot-min': { description: `Lot at least, ${area}`, type: 'string' },
  'lot-max': { description: `Lot at most, ${area}`, type: 'string' },
  'year-min': { description: 'Built in this year or later', type: 'integer' },
  'year-max': { description: 'Built in this year or earlier', type: 'integer' },
  amenity: { description: 'What the property has', type: 'string', values: amenityKeys, repeats: true },
  bbox: { description: 'south,west,north,east in degrees', type: 'string' },
  area: {
    description:
      'Corners of a drawn area: latitude_longitude_latitude_longitude…, 3 to 60 corners in degrees',
    type: 'string',
  },
  sort: { description: 'The order of the list', type: 'string', values: sorts, ofList: true },
  page: { description: 'The page of the list, from 1', type: 'integer', ofList: true },
  after: { description: 'Where the page before ended', type: 'string', ofList: true },
} as const satisfies Record<string, SearchParameter>;

export type SearchParameterName = keyof typeof searchParameters;

/** The parameters that narrow a search, with their names. */
export const narrowingParameters: readonly (SearchParameter & { name: string })[] =
  Object.entries<SearchParameter>(searchParameters).flatMap(([name, parameter]) =>
    parameter.ofList ? [] : [{ name, ...parameter }],
  );
