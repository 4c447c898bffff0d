import type { Permission } from '#platform/access.ts';
import { sellerOf } from '#platform/access.ts';

/** Sellers export their own listings, also while suspended: the listings are theirs. */
export const mayExportListings: Permission = (actor) => sellerOf(actor) !== null;
