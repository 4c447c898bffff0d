import { sql } from 'kysely';
import { isMoney } from '#features/sales/sql.ts';
import type { Ctx } from '#platform/context.ts';
import type { SellerRecord } from './model.ts';

interface Row extends Omit<SellerRecord, 'since'> {
  since: Date;
}

/** How a seller's listings and sales went so far. */
export async function sellerRecord(ctx: Ctx, agentId: string): Promise<SellerRecord> {
  const { rows } = await sql<Row>`
    select
      (select count(*)::integer from properties p
        where p.agent_id = a.id and p.deleted_at is null and p.listed_at is not null) as "approvedListings",
      (select count(*)::integer from properties p where p.agent_id = a.id and p.deleted_at is null) as "allListings",
      (select count(*)::integer from property_sales s
        where s.agent_id = a.id and s.escrow_status = 'completed' and ${isMoney(ctx.config)}) as "closedSales",
      (select count(*)::integer from properties p join property_changes c on c.property_id = p.id
        where p.agent_id = a.id and c.field = 'status' and c.new_value in ('rejected', 'changes_requested')) as "sentBack",
      a.commission_rate::float8 as "commissionRate", coalesce(a.registered_at, a.created_at) as since
    from agents a where a.id = ${agentId}`.execute(ctx.db.q());
  const [row] = rows;
  if (!row) throw new Error(`There is no seller ${agentId}`);
  return { ...row, since: row.since.toISOString() };
}
