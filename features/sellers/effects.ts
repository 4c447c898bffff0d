import { plural } from '#platform/format-count.ts';
import type { SellerRemoval } from './management.ts';

/** What a suspension and its end do, for the dialogs that ask for it. */
export const suspensionEffects = {
  suspend: [
    'The seller can still sign in and see everything, but not change anything.',
    'All listings are hidden from buyers. No one can purchase them or inquire about them.',
    'Sales in progress go on; administrators act in place of the seller.',
    'Payouts are on hold.',
  ],
  reactivate: [
    'The seller can change everything again.',
    'Exactly the listings that were hidden are shown again.',
    'Payouts continue.',
  ],
} as const;

/** What deleting a seller does, in words. */
export function removalText(name: string, removal: SellerRemoval): string {
  if (removal.way === 'refused')
    return `${name} has ${plural(removal.open, 'sale', 'sales')} in progress or not paid out yet. The seller can be deleted once that is done.`;
  if (removal.way === 'delete')
    return `${name} never had a listing or a sale. The record, the account and the invitation are deleted for good.`;
  const { listings, toWithdraw, sales } = removal;
  return [
    `${name} has ${plural(listings, 'listing', 'listings')} and ${plural(sales, 'sale', 'sales')}, so the seller is archived:`,
    'signing in is no longer possible,',
    toWithdraw > 0
      ? `${plural(toWithdraw, 'listing is', 'listings are')} withdrawn,`
      : 'no listing is for sale,',
    'and everything that happened stays on record. This cannot be undone.',
  ].join(' ');
}
