import { queryString, segment } from './paths.ts';

/** Which dialog of which tour is open. */
type TourQuery = { do?: string | undefined; id?: string | undefined };

/** The URLs of tours, apart from `paths`, which all public pages load. */
export const tourPaths = {
  /** where a buyer asks for a tour of a property; `at` is the chosen time */
  request: (propertyId: string, query: { at?: string } = {}) =>
    `/property/${segment(propertyId)}/tour${queryString(query)}`,
  /** the tours that a buyer has asked for */
  ofBuyer: (query: TourQuery = {}) => `/buyer/tours${queryString(query)}`,
  /** the tours of a seller's properties */
  ofSeller: (query: TourQuery = {}) => `/agent/tours${queryString(query)}`,
  /** when a seller is free */
  hours: () => '/agent/tours/hours',
  /** a tour's calendar file, for its parties */
  file: (id: string) => `/tours/${segment(id)}.ics`,
} as const;
