import { sql } from 'kysely';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import { countOpenSalesOf } from '#features/sales/reads.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { SellerRemoval } from './management.ts';

/**
 * Statuses from which a listing is taken off the market, or out of the queue for it. What is in escrow without an open sale was set so
 * by hand.
 */
export const WITHDRAWABLE = sql.raw("('Active', 'pending', 'changes_requested', 'rejected', 'escrow')");

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

/** Listings that are withdrawn in one transaction. */
export const WITHDRAWN_AT_ONCE = 100;

interface Withdrawable {
  id: string;
  status: string;
}

/** The next listings of an archived seller that have to be withdrawn, in the order of their ids; `after`: the last id before them. */
export async function listingsToWithdraw(
  ctx: Ctx,
  { sellerId, after, limit }: { sellerId: string; after: string | null; limit: number },
): Promise<Withdrawable[]> {
  const { rows } = await sql<Withdrawable>`select id, status from properties
    where agent_id = ${sellerId} and deleted_at is null and status in ${WITHDRAWABLE}
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(ctx.db.q());
  return rows;
}

/** Withdraws listings of an archived seller, which are held, in the seller's place. One that cannot be withdrawn stays as it is. */
export async function withdrawAll(ctx: Ctx, listings: readonly Withdrawable[]): Promise<void> {
  for (const { id, status } of listings)
    await moveListing(asSystem(ctx, 'seller-deletion'), {
      propertyId: id,
      event: status === 'escrow' ? 'release_escrow' : 'withdraw',
      reason: 'The seller left the marketplace',
    });
}
