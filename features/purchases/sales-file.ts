import type { Ctx } from '#platform/context.ts';
import { csvLine, plainDollars } from '#platform/csv-line.ts';
import { payoutWords, railNames } from './rules.ts';
import { allSellerSales, housesNamed, type SellerSale } from './seller-sales.ts';

/** Tells a spreadsheet that the file is UTF-8. */
const MARK = '\uFEFF';
const HEAD = [
  'Sale',
  'Date (UTC)',
  'Property',
  'Town',
  'Sale Price (USD)',
  'Commission (USD)',
  'Seller Fees (USD)',
  'Payout (USD)',
  'Status',
  'Payment Method',
  'Payout Date (UTC)',
];

/** A seller's sales as a CSV file in pieces, as the table shows them. */
export async function* salesFile(ctx: Ctx, agentId: string, q: string): AsyncGenerator<string> {
  yield MARK + csvLine(HEAD);
  const houses = await housesNamed(ctx, agentId, q);
  for await (const sales of allSellerSales(ctx, { agentId, houses })) yield sales.map(lineOf).join('');
}

const lineOf = (sale: SellerSale): string =>
  csvLine([
    sale.id,
    sale.date.slice(0, 10),
    sale.property.address,
    sale.property.town,
    plainDollars(sale.salePriceCents),
    plainDollars(sale.commissionCents),
    plainDollars(sale.sellerFeesCents),
    plainDollars(sale.commissionCents - sale.sellerFeesCents),
    payoutWords(sale.state).label,
    railNames[sale.method],
    sale.payoutDate?.slice(0, 10) ?? null,
  ]);
