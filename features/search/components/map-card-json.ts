import type { ListingPicture } from '#features/listings/model.ts';

/** JSON of what the map shows of one listing; the buyer's price in cents, facts in words. */
export interface MapCardJson {
  id: string;
  address: string;
  town: string;
  type: string;
  totalCents: number;
  facts: string[];
  /** null: an illustration is shown instead */
  picture: ListingPicture | null;
  latitude: number;
  longitude: number;
}
