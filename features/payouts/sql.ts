import { sql } from 'kysely';

/**
 * Of a row `p` of `payouts`: what the seller's bank or provider calls it: the reference of a payout by hand, else that of the
 * whole, else those of its parts; null while there is none.
 */
export const payoutReference = sql<string | null>`coalesce(p.bank_reference, p.provider_ref,
  (select string_agg(i.provider_ref, ', ' order by i.provider_ref) from payout_items i where i.payout_id = p.id))`;
