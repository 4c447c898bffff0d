/** Stored values of a property's status. */
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

/** A stored picture as sent to the browser; file names are derived from id and widths. */
export interface ListingPicture {
  id: string;
  width: number;
  height: number;
  /** pixel widths in which the picture is stored, ascending */
  widths: number[];
  placeholder: string;
  alt: string;
  /** shown below the picture on the property page */
  caption?: string;
}

/** Data of a property card. Prices in integer cents. */
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
  /** the living area */
  squareFeet: number | null;
  lotSquareFeet: number | null;
  /** null: an illustration is shown instead */
  picture: ListingPicture | null;
  status: PropertyStatus;
}

/** Data of the property page. */
export interface ListingDetail extends Omit<ListingCard, 'picture' | 'totalCents'> {
  title: string | null;
  /** null when the listing has no type; the page then shows 'Residential' */
  typeName: string | null;
  description: string;
  yearBuilt: number | null;
  neighborhood: string | null;
  /** the number under which a multiple listing service knows it */
  mlsNumber: string | null;
  mlsName: string | null;
  latitude: number | null;
  longitude: number | null;
  /** how exactly that position is known */
  locationPrecision: EditableColumns['location_precision'];
  pictures: ListingPicture[];
  amenities: string[];
  seller: {
    id: string;
    name: string;
    email: string;
    userId: string | null;
    /** or archived: nothing of theirs can be bought, asked about or visited */
    suspended: boolean;
  };
  /** when an administrator verified who owns it, at the address it has now; ISO, UTC; null when no one has */
  ownershipVerifiedAt: string | null;
  listedAt: Date | null;
  updatedAt: Date;
  isPublic: boolean;
}

/** The columns of a listing that its seller edits. */
export const editableColumns = [
  'title',
  'price_cents',
  'type_id',
  'address',
  'city',
  'state',
  'zip',
  'bedrooms',
  'bathrooms',
  'half_baths',
  'square_feet',
  'lot_square_feet',
  'year_built',
  'neighborhood',
  'description',
  'latitude',
  'longitude',
  'location_precision',
] as const;

/** The values of these columns, as stored. */
export interface EditableColumns {
  title: string | null;
  price_cents: number;
  type_id: number | null;
  address: string;
  city: string;
  state: string;
  zip: string;
  bedrooms: number | null;
  bathrooms: number | null;
  half_baths: number;
  square_feet: number | null;
  lot_square_feet: number | null;
  year_built: number | null;
  neighborhood: string | null;
  description: string;
  latitude: number | null;
  longitude: number | null;
  location_precision: 'pin' | 'rooftop' | 'street' | 'zip' | 'zip3' | 'city' | null;
}

/** A change of one column, for the listing's history: stored values, prices in cents. */
export interface HistoryEntry {
  field: string;
  from: string | number | null;
  to: string | number | null;
  reason?: string;
}
