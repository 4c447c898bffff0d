import { type RawBuilder, sql } from 'kysely';

/**
 * Of a row `p` of `payouts`: what the seller's bank or provider calls it: the reference of a payout by hand, else that of the
 * whole, else those of its parts; null while there is none.
 */
export const payoutReference = sql<string | null>`coalesce(p.bank_reference, p.provider_ref,
  (select string_agg(i.provider_ref, ', ' order by i.provider_ref) from payout_items i where i.payout_id = p.id))`;

/**
 * What an account holds for the buyers and sellers of sales that were paid into it, available or not, in cents. What was sent to a
 * seller has left it.
 * @param exceptSaleId a sale that does not count; null for none
 */
export const heldForSales = (accountId: string, exceptSaleId: string | null): RawBuilder<number> =>
  // What one sale is short of is not made up for by the others.
  sql<number>`(select coalesce(sum(greatest(0, of_sale.cents)), 0)::bigint from (
    select -sum(p.amount_cents) as cents
    from property_sales s join ledger_entries e on e.sale_id = s.id join ledger_postings p on p.entry_id = e.id
    where s.provider_account_id = ${accountId} and s.id is distinct from ${exceptSaleId}::uuid
      and (s.escrow_status = 'in_escrow' or s.payout_status in ('pending', 'processing', 'failed'))
      and (p.account in ('escrow_held', 'fees_held', 'seller_payable') or p.account = 'payout_in_transit'
        and not exists (select from payouts o where o.sale_id = s.id and o.status = 'processing'
          and o.provider_account_id = ${accountId} and o.sent_at is not null))
    group by s.id) of_sale)`;
