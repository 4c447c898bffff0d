import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Config } from '#platform/config.ts';
import type { DB } from '#platform/db/schema.gen.ts';

/** The sales with a chargeback that is not decided: none of their money leaves. One that is lost has taken its part already, in the ledger. */
export const contestedSales = sql`select d.sale_id from disputes d where d.kind = 'chargeback' and d.status = 'open'`;

/** What has arrived of the payment in parts of a sale with this id, in cents. */
export const receivedOf = (saleId: Expression<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(t.amount_cents), 0)::bigint from sale_tranches t where t.sale_id = ${saleId})`;

/** The conversation of a sale's buyer and seller about its property; null if there is none. */
export const inquiryOf = (
  sale: Pick<Selectable<DB['property_sales']>, 'property_id' | 'buyer_id' | 'agent_id'>,
): RawBuilder<string | null> => sql<string | null>`(
  select i.id from property_inquiries i join properties p on p.id = i.property_id
  where i.property_id = ${sale.property_id} and i.user_id = ${sale.buyer_id} and p.agent_id = ${sale.agent_id})`;

/** Of a row `s` of `property_sales`: it counts in totals. Test money does not, unless this server has no other. */
export const isMoney = ({ sandboxPayments }: Pick<Config, 'sandboxPayments'>): RawBuilder<boolean> =>
  sandboxPayments ? sql<boolean>`true` : sql<boolean>`s.livemode`;

/** Of a row `s` of `property_sales`: the seller's share of what is left of the price after refunds, before fees; of a cancelled sale the one agreed on. */
export const shareLeft = sql<number>`case when s.returned_base_cents = 0 or s.escrow_status = 'cancelled' then s.agent_commission_cents
  else floor((2::numeric * (s.sale_price_cents - s.returned_base_cents) * s.agent_commission_cents + s.sale_price_cents)
    / (2::numeric * s.sale_price_cents))::bigint end`;
/** Of a row `s` of `property_sales`: what is left of the price after refunds; of a cancelled sale all of it. */
export const priceLeft = sql<number>`case when s.escrow_status = 'cancelled' then s.sale_price_cents
  else s.sale_price_cents - s.returned_base_cents end`;

/**
 * SQL: whether all documents that were delivered still wait for the scanner, so that the buyer has none to look at: the sale is not
 * released by itself meanwhile. False for a sale whose delivery was confirmed without files.
 */
export const areAllHeld = (sale: {
  id: RawBuilder<string>;
  buyer: RawBuilder<string>;
}): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select bool_and(d.scan = 'held') from document_registry d where d.property_sale_id = ${sale.id}
    and d.origin = 'uploaded' and d.shown_to = 'parties' and d.uploaded_by is distinct from ${sale.buyer}
    and d.erased_at is null), false)`;

/** Of a row `s` of `property_sales`: a part of its payout has reached the seller, or was set off against what the seller owed. */
export const payoutHasBegun = sql<boolean>`exists (select from payouts o where o.sale_id = s.id
  and (o.paid_cents > o.returned_cents + o.reversed_cents or o.netted_cents > 0))`;
/**
 * Of a row `s` of `property_sales` whose payout has begun: what its seller is still owed, or what is on its way while a payout
 * runs, in cents. The ledger knows; the share that the sale's row has includes what was paid already.
 */
export const leftOfPayout = sql<number>`(select greatest(0, coalesce(-sum(p.amount_cents), 0))::bigint
  from ledger_entries e join ledger_postings p on p.entry_id = e.id
  where e.sale_id = s.id and p.account = case s.payout_status when 'processing' then 'payout_in_transit' else 'seller_payable' end)`;
