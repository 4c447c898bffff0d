import type { Ctx } from '#platform/context.ts';
import { csvLine } from '#platform/csv-line.ts';
import { decimalAmount } from '#platform/money.ts';
import { paymentMethodNames, payoutStatusBadge } from './rules.ts';
import { allSellerSales, propertiesMatching, type SellerSale } from './seller-sales.ts';

/** Byte order mark: tells spreadsheets that the file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const HEADER = [
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

/** A seller's sales as a CSV file, streamed in chunks, with the values of the table. */
export async function* salesFile(ctx: Ctx, agentId: string, q: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(HEADER);
  const propertyIds = await propertiesMatching(ctx, agentId, q);
  for await (const sales of allSellerSales(ctx, { agentId, propertyIds })) yield sales.map(lineOf).join('');
}

const lineOf = (sale: SellerSale): string =>
  csvLine([
    sale.id,
    sale.date.slice(0, 10),
    sale.property.address,
    sale.property.town,
    decimalAmount(sale.salePriceCents),
    decimalAmount(sale.commissionCents),
    decimalAmount(sale.sellerFeesCents),
    decimalAmount(Math.max(0, sale.commissionCents - sale.sellerFeesCents)),
    payoutStatusBadge(sale.state).label,
    paymentMethodNames[sale.method],
    sale.payoutDate?.slice(0, 10) ?? null,
  ]);
