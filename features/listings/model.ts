/** The stored values of a property's status (S0 §4, B-143). */
export type PropertyStatus =
  | 'pending'
  | 'Active'
  | 'escrow'
  | 'Sold'
  | 'rejected'
  | 'changes_requested'
  | 'withdrawn';

export interface PropertyType {
  id: number;
  name: string;
  slug: string;
  oldSlugs: string[];
}

/** A stored picture as the browser needs it; the files' names follow from id and widths. */
export interface ListingPicture {
  id: string;
  width: number;
  height: number;
  /** pixel widths in which the picture is stored, ascending */
  widths: number[];
  placeholder: string;
  alt: string;
  /** stands under the picture on its page (B-040) */
  caption?: string;
}

/** What one card shows. Prices in integer cents. */
export interface ListingCard {
  id: string;
  address: string;
  /** 'Fernridge, WA 98045' */
  town: string;
  type: string;
  totalCents: number;
  baseCents: number;
  bedrooms: number | null;
  bathrooms: number | null;
  halfBaths: number;
  squareFeet: number | null;
  /** null: the illustration of this listing stands in */
  picture: ListingPicture | null;
  status: PropertyStatus;
}

/** Everything that the detail page shows of a listing. */
export interface ListingDetail extends Omit<ListingCard, 'picture' | 'totalCents'> {
  title: string | null;
  /** null when the listing has none; the page says 'Residential' then (B-048) */
  typeName: string | null;
  description: string;
  yearBuilt: number | null;
  lotSquareFeet: number | null;
  latitude: number | null;
  longitude: number | null;
  pictures: ListingPicture[];
  amenities: string[];
  seller: { id: string; name: string; email: string; userId: string | null; suspended: boolean };
  listedAt: Date | null;
  updatedAt: Date;
  isPublic: boolean;
}

const limit = (name: string, times: number, windowSeconds: number) => ({ name, limit: times, windowSeconds });

/** What a seller's form may do how often, beside the limits that the platform knows. */
export const listingLimits = {
  /** a draft is saved with a pause after typing */
  saveDraft: [limit('save-draft', 120, 60)],
  submit: [limit('submit-listing', 20, 60), limit('submit-listing-day', 500, 86_400)],
  locate: [limit('locate-address', 60, 60)],
} as const;
