import { demoMarket } from '#demo/market/market.ts';
import type { Sale } from '#demo/market/sales/sale.ts';

const market = demoMarket(new Date(), '');

/** What was sold in the demo market, and what was tried; ids are the same on every load. */
export const demoSales: readonly Sale[] = market.sales.made;

/**
 * The first demo sale that fits.
 * @throws Error when the demo market has none
 */
export function demoSale(fits: (sale: Sale) => boolean): Sale {
  const found = demoSales.find(fits);
  if (!found) throw new Error('The demo market has no such sale');
  return found;
}

/** Who bought, and who sells, by the addresses that they sign in with. */
export const buyerOf = ({ deal }: Sale): string => deal.buyer.email;
export const sellerOf = ({ deal }: Sale): string => deal.listing.seller.email;
