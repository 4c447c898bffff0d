import type { Ctx } from '#platform/context.ts';
import type { FileColumn } from '#platform/table-file/columns.ts';
import { csvFile } from '#platform/table-file/csv.ts';
import { paymentMethodNames, payoutStatusBadge } from './rules.ts';
import { allSellerSales, propertiesMatching, type SellerSale } from './seller-sales.ts';

/** The values of the table. */
const columns: readonly FileColumn<SellerSale>[] = [
  { header: 'Sale', text: ({ id }) => id },
  { header: 'Date (UTC)', text: ({ date }) => date.slice(0, 10) },
  { header: 'Property', text: ({ property }) => property.address },
  { header: 'Town', text: ({ property }) => property.town },
  { header: 'Sale Price (USD)', cents: ({ salePriceCents }) => salePriceCents },
  { header: 'Commission (USD)', cents: ({ commissionCents }) => commissionCents },
  { header: 'Seller Fees (USD)', cents: ({ sellerFeesCents }) => sellerFeesCents },
  {
    header: 'Payout (USD)',
    cents: ({ commissionCents, sellerFeesCents }) => Math.max(0, commissionCents - sellerFeesCents),
  },
  { header: 'Status', text: ({ state }) => payoutStatusBadge(state).label },
  { header: 'Payment Method', text: ({ method }) => paymentMethodNames[method] },
  { header: 'Payout Date (UTC)', text: ({ payoutDate }) => payoutDate?.slice(0, 10) ?? null },
];

/** A seller's sales as a CSV file, streamed in chunks. */
export const salesFile = (ctx: Ctx, agentId: string, q: string): AsyncGenerator<string> =>
  csvFile(columns, salesMatching(ctx, agentId, q));

async function* salesMatching(ctx: Ctx, agentId: string, q: string): AsyncGenerator<SellerSale[]> {
  const propertyIds = await propertiesMatching(ctx, agentId, q);
  yield* allSellerSales(ctx, { agentId, propertyIds });
}
