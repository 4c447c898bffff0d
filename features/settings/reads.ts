import { anyone, authorize } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { DEFAULT_BRAND } from './model.ts';

/** The marketplace's name, from the setting `brand`; cached in memory until a setting changes. */
export async function brandName(ctx: Ctx): Promise<string> {
  authorize(ctx, anyone);
  return cached(ctx.db, 'platform_settings', 'brand', async () => {
    const row = await ctx.db
      .q()
      .selectFrom('platform_settings')
      .select('setting_value')
      .where('setting_name', '=', 'brand')
      .executeTakeFirst();
    return typeof row?.setting_value === 'string' && row.setting_value.trim()
      ? row.setting_value
      : DEFAULT_BRAND;
  });
}
