import { anyone, authorize } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import type { Fee } from './model.ts';

export { managedFee, managedFees } from './managed-reads.ts';

/**
 * The active fees that buyers pay, in display order: cached in memory for 60 seconds, and an older copy for an hour while they cannot
 * be read. A purchase reads them anew (`chargedFees`).
 */
export async function buyerFees(ctx: Ctx): Promise<Fee[]> {
  authorize(ctx, anyone);
  return cached(
    ctx.db,
    'service_fees',
    'buyer',
    async () => {
      const rows = await ctx.db
        .q()
        .selectFrom('service_fees')
        .select(['id', 'name', 'fixed_cents', 'percent'])
        .where('is_active', '=', true)
        .where((where) => where('applies_to', '@>', where.val(['buyer'])))
        .orderBy('position')
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        fixedCents: row.fixed_cents,
        percent: row.percent,
      }));
    },
    { keepMs: HOUR },
  );
}

/**
 * The active fees of buyers and sellers, read uncached in the current transaction for the moment a price is fixed. A fee
 * that applies to both is in both lists. None of them is deleted before the transaction ends.
 */
export async function chargedFees(ctx: Ctx): Promise<{ buyer: Fee[]; seller: Fee[] }> {
  authorize(ctx, anyone);
  const rows = await ctx.db
    .q()
    .selectFrom('service_fees')
    .select(['id', 'name', 'fixed_cents', 'percent', 'applies_to'])
    .where('is_active', '=', true)
    .orderBy('position')
    .orderBy('created_at')
    .orderBy('id')
    .forKeyShare()
    .execute();
  const of = (side: 'buyer' | 'seller') =>
    rows
      .filter(({ applies_to }) => applies_to.includes(side))
      .map(({ id, name, fixed_cents, percent }) => ({ id, name, fixedCents: fixed_cents, percent }));
  return { buyer: of('buyer'), seller: of('seller') };
}
