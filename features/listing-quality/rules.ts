import type { ListingDetail } from '#features/listings/model.ts';

/** Where in the form something is mended: the name of its field, or a part of the form. */
type QualityField =
  | 'main-photo'
  | 'more-photos'
  | 'description'
  | 'squareFeet'
  | 'lotSquareFeet'
  | 'yearBuilt'
  | 'bedrooms'
  | 'bathrooms'
  | 'address';

/** Something that buyers miss in a listing. */
export interface QualityHint {
  field: QualityField;
  text: string;
}

/** From this many photos on, none are asked for. */
const ENOUGH_PHOTOS = 6;
/** A description of fewer characters says too little, about three sentences. */
const SHORT_DESCRIPTION = 200;

type Listing = Pick<
  ListingDetail,
  | 'typeName'
  | 'pictures'
  | 'description'
  | 'squareFeet'
  | 'lotSquareFeet'
  | 'yearBuilt'
  | 'bedrooms'
  | 'bathrooms'
  | 'halfBaths'
  | 'latitude'
  | 'locationPrecision'
>;

const LAND = 'Vacant Lot';
/** Types whose size is not told in bedrooms. */
const WITHOUT_ROOMS: readonly (string | null)[] = [LAND, 'Commercial'];

/** What would make a listing better, what buyers miss most first; nothing where it is complete. */
export function qualityHints(listing: Listing): QualityHint[] {
  const hints: QualityHint[] = [];
  const ask = (missing: boolean, field: QualityField, text: string) => missing && hints.push({ field, text });
  const photos = listing.pictures.length;
  ask(photos === 0, 'main-photo', 'Add photos. Listings without photos show drawings.');
  ask(
    photos > 0 && photos < ENOUGH_PHOTOS,
    'more-photos',
    `Add photos: it has ${photos}, and buyers expect at least ${ENOUGH_PHOTOS}.`,
  );
  ask(
    listing.description.trim().length < SHORT_DESCRIPTION,
    'description',
    `Describe it in at least ${SHORT_DESCRIPTION} characters. It has ${listing.description.trim().length}.`,
  );
  const isLand = listing.typeName === LAND;
  if (!WITHOUT_ROOMS.includes(listing.typeName)) {
    ask(!listing.bedrooms, 'bedrooms', 'Enter the number of bedrooms.');
    ask(!listing.bathrooms && listing.halfBaths === 0, 'bathrooms', 'Enter the number of bathrooms.');
  }
  ask(!isLand && !listing.squareFeet, 'squareFeet', 'Enter the square feet.');
  ask(!isLand && listing.yearBuilt === null, 'yearBuilt', 'Enter the year it was built.');
  ask(!listing.lotSquareFeet, 'lotSquareFeet', 'Enter the size of the lot.');
  ask(
    listing.latitude === null || ['zip', 'zip3', 'city'].includes(listing.locationPrecision ?? ''),
    'address',
    'Place the pin on the map. Its location is not exact.',
  );
  return hints;
}
