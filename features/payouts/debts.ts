import { sql } from 'kysely';
import type { OwedBySeller } from '#features/ledger/claw-back.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * What a seller owes for sales whose money went back to the buyer after the payout, the oldest first, without what is being taken
 * back from a payout. Cents.
 */
export async function debtsOf(ctx: Ctx, agentId: string): Promise<OwedBySeller[]> {
  const { rows } = await sql<{ sale_id: string; cents: number }>`
    select o.sale_id, (o.cents - coalesce(r.cents, 0))::bigint as cents
    from (select e.sale_id, sum(p.amount_cents) as cents, min(e.id) as first
      from ledger_postings p
        join ledger_entries e on e.id = p.entry_id
        join property_sales s on s.id = e.sale_id
      where p.account = 'seller_receivable' and s.agent_id = ${agentId}
      group by e.sale_id) o
    left join (select sale_id, sum(amount_cents) as cents from payout_reversals where status = 'pending' group by sale_id) r
      on r.sale_id = o.sale_id
    where o.cents > coalesce(r.cents, 0)
    order by o.first`.execute(ctx.db.q());
  return rows.map(({ sale_id, cents }) => ({ saleId: sale_id, cents: Number(cents) }));
}
