import { correspondence } from '#features/inquiries/correspondence.ts';
import { feeLines, historyOf, partiesOf, receiptNumber, refundsOf } from '#features/sales/sale-details.ts';
import { amountsOf, type SaleRow } from '#features/sales/sale-row.ts';
import { eventLabel, partyLabels } from '#features/sales/timeline.ts';
import type { Ctx } from '#platform/context.ts';
import type { DisputedSale } from './model.ts';

/** Everything on record about a sale that speaks in a dispute. */
export async function readDisputedSale(ctx: Ctx, sale: SaleRow): Promise<DisputedSale> {
  const { id, property_id: propertyId, buyer_id: buyerId, created_at: since } = sale;
  const [parties, fees, history, refunds, messages, ip] = await Promise.all([
    partiesOf(ctx, sale),
    feeLines(ctx, id),
    historyOf(ctx, id),
    refundsOf(ctx, id),
    correspondence(ctx, { propertyId, buyerId, since }),
    addressOfPurchase(ctx, id),
  ]);
  const { basePriceCents, buyerFeesCents } = amountsOf(sale);
  return {
    buyer: { ...parties.buyer, ip },
    property: parties.property,
    seller: parties.seller,
    paidAt: sale.sale_date,
    documentsDeliveredAt: sale.documents_delivered_at,
    releasedAt: sale.released_at,
    receiptNumber: sale.receipt_number === null ? null : receiptNumber(sale.receipt_number),
    paymentRef: sale.provider_payment_id ?? sale.provider_session_id,
    basePriceCents,
    fees,
    totalCents: basePriceCents + buyerFeesCents,
    refunds: refunds.map(({ cents, at }) => ({ cents, at: new Date(at) })),
    history: history.map(({ at, event, by, note }) => ({
      at: new Date(at),
      label: eventLabel(event),
      by: partyLabels[by],
      note,
    })),
    messages: messages.map(({ at, byBuyer, text }) => ({ at, by: byBuyer ? 'Buyer' : 'Seller', text })),
  };
}

/** The IP address that the purchase was begun from. */
async function addressOfPurchase(ctx: Ctx, saleId: string): Promise<string | null> {
  const row = await ctx.db
    .q()
    .selectFrom('audit_log')
    .select('ip')
    .where('entity', '=', 'property_sale')
    .where('entity_id', '=', saleId)
    .where('action', '=', 'sale.begin')
    .executeTakeFirst();
  return row?.ip ?? null;
}
