import type { ListingCard, PropertyStatus } from './model.ts';

/** Display labels; the only copy of this mapping. */
export const statusLabel: Record<PropertyStatus, string> = {
  pending: 'Pending',
  Active: 'Active',
  escrow: 'In Escrow',
  Sold: 'Sold',
  rejected: 'Rejected',
  changes_requested: 'Changes requested',
  withdrawn: 'Withdrawn',
};

/** Badge tone of a status. */
export const statusTone = (status: PropertyStatus): 'ok' | 'warn' | 'mute' =>
  status === 'Active' ? 'ok' : status === 'pending' ? 'warn' : 'mute';

/** 'Fernridge, WA 98045'; missing parts are left out. */
export function townLine(place: { city: string; state: string; zip: string }): string {
  const region = [place.state, place.zip].filter(Boolean).join(' ');
  return [place.city, region].filter(Boolean).join(', ');
}

/** Bathrooms including half baths: 2 and one half is 2.5. */
export const bathCount = (listing: Pick<ListingCard, 'bathrooms' | 'halfBaths'>): number =>
  (listing.bathrooms ?? 0) + listing.halfBaths / 2;

const SQUARE_FEET_PER_ACRE = 43_560;
const acreDigits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

const wholeFeet = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** An area in whole square feet, '1,841': what was measured has up to two decimals. */
export const formatSquareFeet = (squareFeet: number): string => wholeFeet.format(squareFeet);

/** The size of land in acres, '1' or '0.34'; null when it is too little to be measured in them. */
export const acres = (squareFeet: number): string | null =>
  squareFeet < SQUARE_FEET_PER_ACRE / 10 ? null : acreDigits.format(squareFeet / SQUARE_FEET_PER_ACRE);

/** The size of land for a sentence: '1 acre', '0.34 acres' or '2,400 square feet'. */
export function landSize(squareFeet: number): string {
  const size = acres(squareFeet);
  if (size === null) return `${formatSquareFeet(squareFeet)} square feet`;
  return `${size} ${size === '1' ? 'acre' : 'acres'}`;
}

/** The living area, or where there is none the lot, named as such; empty when neither is known. */
export function areaFact({
  squareFeet,
  lotSquareFeet,
}: Pick<ListingCard, 'squareFeet' | 'lotSquareFeet'>): string {
  if (squareFeet) return `${formatSquareFeet(squareFeet)} sqft`;
  if (!lotSquareFeet) return '';
  const size = acres(lotSquareFeet);
  return size === null ? `${formatSquareFeet(lotSquareFeet)} sqft lot` : `${size} acre lot`;
}

/** The facts of a card; zero or missing bedrooms and bathrooms are left out. */
export function cardFacts(
  listing: Pick<ListingCard, 'bedrooms' | 'bathrooms' | 'halfBaths' | 'squareFeet' | 'lotSquareFeet'>,
): string[] {
  const baths = bathCount(listing);
  return [
    listing.bedrooms ? `${listing.bedrooms} bd` : '',
    baths ? `${baths} ba` : '',
    areaFact(listing),
  ].filter(Boolean);
}

/** Default alternative text of a photograph; `index` from 0. */
export const photoAlt = (address: string, index: number, count: number): string =>
  `Photo ${index + 1} of ${count}, ${address}`;

/** Alternative text of a drawing that stands in for photographs: it shows no property. */
export const drawingAlt = (index: number, count: number): string =>
  `Drawing ${index + 1} of ${count} in place of photos`;
