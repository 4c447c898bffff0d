import type { Ctx } from '#platform/context.ts';
import { WRITE_OFF_APPROVAL_CENTS } from './rules.ts';

/** The cents above which a write-off needs a second administrator, from the setting `write_off_approval_cents`. */
export async function writeOffApprovalCents(ctx: Ctx): Promise<number> {
  const row = await ctx.db
    .q()
    .selectFrom('platform_settings')
    .select('setting_value')
    .where('setting_name', '=', 'write_off_approval_cents')
    .executeTakeFirst();
  const value = row?.setting_value;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value
    : WRITE_OFF_APPROVAL_CENTS;
}
