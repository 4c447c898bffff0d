import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { kept } from '#platform/kept.ts';
import type { Fee } from './model.ts';

/** The active fees that buyers pay, in their display order; kept in memory for 60 seconds (S0 §9). */
export async function buyerFees(ctx: Ctx): Promise<Fee[]> {
  authorize(ctx, anyone);
  return kept(ctx.db, 'service_fees', 'buyer', async () => {
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
  });
}
