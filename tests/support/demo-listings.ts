import type { Listing } from '#demo/market/listings/listings.ts';
import { demoMarket } from '#demo/market/market.ts';
import { totalCents } from '#features/fees/rules.ts';

const market = demoMarket(new Date(), '');

/** What the demo market holds, in its fixed order; ids and addresses are the same on every load. */
export const demoListings: readonly Listing[] = market.listings;

/**
 * The first demo listing of a status that fits.
 * @throws Error when the demo market has none
 */
export function demoListing(
  status: Listing['life']['status'],
  fits: (listing: Listing) => boolean = () => true,
): Listing {
  const found = demoListings.find((listing) => listing.row.status === status && fits(listing));
  if (!found) throw new Error(`The demo market has no such listing with status ${status}`);
  return found;
}

/** The one with the porch, first of the featured. */
export const larkspurLane = demoListing('Active', ({ row }) => row.address === '48 Larkspur Lane');

export const pathOf = ({ id }: Pick<Listing, 'id'>) => `/property/${id}`;

/** What a visitor's list holds: Active listings of sellers who are not suspended. */
export const publicListings = demoListings.filter(
  ({ row, seller }) => row.status === 'Active' && seller.row.status === 'active',
);

/** What the buyer pays, in cents. */
export const totalOf = ({ row }: Listing): number => totalCents(Number(row.price_cents), market.fees.fees);
