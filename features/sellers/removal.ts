import { sql } from 'kysely';
import { countOpenSalesOf } from '#features/sales/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { SellerRemoval } from './management.ts';

/** Statuses from which a listing is taken off the market, or out of the queue for it. */
const WITHDRAWABLE = sql.raw("('Active', 'pending', 'changes_requested', 'rejected')");

/**
 * What deleting a seller does as things are. Whoever had a listing that was given to another seller had one: tours, conversations and
 * reports of that time name them. For administrators.
 */
export async function removalOf(ctx: Ctx, sellerId: string): Promise<SellerRemoval> {
  const open = await countOpenSalesOf(ctx, sellerId);
  if (open > 0) return { way: 'refused', open };
  const { rows } = await sql<{ ever: boolean; listings: number; toWithdraw: number; sales: number }>`
    select exists (select from properties where agent_id = ${sellerId})
        or exists (select from property_sales where agent_id = ${sellerId})
        or exists (select from property_changes where field = 'agent_id' and previous_value = ${sellerId}) as ever,
      (select count(*)::integer from properties where agent_id = ${sellerId} and deleted_at is null) as listings,
      (select count(*)::integer from properties where agent_id = ${sellerId} and deleted_at is null
        and status in ${WITHDRAWABLE}) as "toWithdraw",
      (select count(*)::integer from property_sales where agent_id = ${sellerId} and sale_date is not null) as sales`.execute(
    ctx.db.q(),
  );
  const { ever = true, listings = 0, toWithdraw = 0, sales = 0 } = rows[0] ?? {};
  return ever ? { way: 'archive', listings, toWithdraw, sales } : { way: 'delete' };
}

/** The ids of the listings that archiving a seller withdraws. */
export async function listingsToWithdraw(ctx: Ctx, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from properties
    where agent_id = ${sellerId} and deleted_at is null and status in ${WITHDRAWABLE} order by id`.execute(
    ctx.db.q(),
  );
  return rows.map(({ id }) => id);
}
