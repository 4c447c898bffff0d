import { sql } from 'kysely';
import type { OwedBySeller } from '#features/ledger/claw-back.ts';
import type { Ctx } from '#platform/context.ts';

/** Whose debts, and of which money: what is owed for a test sale is no debt of real money, nor the other way round. */
export interface Debtor {
  agentId: string;
  livemode: boolean;
}

/** What sellers owe, the oldest debt first. Cents. */
export interface Debts {
  of(debtor: Debtor): readonly OwedBySeller[];
}

/**
 * What sellers owe for sales whose money went back to the buyer after the payout, the oldest first, without what is being taken back
 * from a payout.
 */
export async function debtsOf(ctx: Ctx, agentIds: readonly string[]): Promise<Debts> {
  const { rows } = await sql<{ agent_id: string; livemode: boolean; sale_id: string; cents: number }>`
    select o.agent_id, o.livemode, o.sale_id, (o.cents - coalesce(r.cents, 0))::bigint as cents
    from (select s.agent_id, s.livemode, s.id as sale_id, sum(p.amount_cents) as cents, min(e.id) as first
      from ledger_postings p
        join ledger_entries e on e.id = p.entry_id
        join property_sales s on s.id = e.sale_id
      where p.account = 'seller_receivable' and s.agent_id = any(${agentIds}::uuid[])
      group by s.id) o
    left join (select sale_id, sum(amount_cents) as cents from payout_reversals where status = 'pending' group by sale_id) r
      on r.sale_id = o.sale_id
    where o.cents > coalesce(r.cents, 0)
    order by o.first`.execute(ctx.db.q());
  return {
    of: ({ agentId, livemode }) =>
      rows
        .filter((row) => row.agent_id === agentId && row.livemode === livemode)
        .map(({ sale_id, cents }) => ({ saleId: sale_id, cents: Number(cents) })),
  };
}
