import { DEFAULT_ADMIN_PERCENTAGE } from '#features/checkout/model.ts';
import type { Ctx } from '#platform/context.ts';

/** The seller's share in percent of sellers without a rate of their own: what the general percentage of the platform leaves. */
export async function defaultCommissionRate(ctx: Ctx): Promise<number> {
  const setting = await ctx.db
    .q()
    .selectFrom('commission_settings')
    .select('admin_percentage')
    .executeTakeFirst();
  const platformShare = setting?.admin_percentage ?? DEFAULT_ADMIN_PERCENTAGE;
  return Math.round((100 - platformShare) * 1000) / 1000;
}
