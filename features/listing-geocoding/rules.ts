import { nobody } from '#platform/access.ts';

/** Imported listings are placed on the map by a job only. */
export const mayPlaceListings = nobody;
