import { correspondence } from '#features/inquiries/reads.ts';
import { saleRecord } from '#features/sales/reads.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import type { Ctx } from '#platform/context.ts';
import { asSystem } from './as-system.ts';
import type { DisputedSale } from './model.ts';

/** Everything on record about a sale that speaks in a dispute. */
export async function readDisputedSale(ctx: Ctx, sale: SaleRow): Promise<DisputedSale> {
  const { id, property_id: propertyId, buyer_id: buyerId, created_at: since } = sale;
  const [record, messages] = await Promise.all([
    saleRecord(asSystem(ctx), id),
    correspondence(asSystem(ctx), { propertyId, buyerId, since }),
  ]);
  return {
    ...record,
    messages: messages.map(({ at, byBuyer, text }) => ({ at, by: byBuyer ? 'Buyer' : 'Seller', text })),
  };
}
