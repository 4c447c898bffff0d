import { anyone, authorize, authorizedUser } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { DEFAULT_BRAND, type SettingValue } from './model.ts';
import { mayReadPayoutHold, mayReadWriteOffApproval } from './rules.ts';
import { setting } from './setting.ts';

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

/** Days from the payment until the seller has to have delivered the closing documents. */
export async function documentsDueDays(ctx: Ctx): Promise<SettingValue<'documents_due_days'>> {
  authorize(ctx, anyone);
  return setting(ctx, 'documents_due_days');
}

/**
 * Days from the release of a sale until its seller is paid, by what the buyer paid with.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function payoutHoldDays(ctx: Ctx): Promise<SettingValue<'payout_hold_days'>> {
  authorize(ctx, mayReadPayoutHold);
  return setting(ctx, 'payout_hold_days');
}

/**
 * The cents above which writing off a difference needs a second administrator.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function writeOffApprovalCents(ctx: Ctx): Promise<SettingValue<'write_off_approval_cents'>> {
  authorize(ctx, mayReadWriteOffApproval);
  return setting(ctx, 'write_off_approval_cents');
}

/**
 * Whether the user can purchase while payments are in test mode.
 * @throws Unauthenticated
 */
export async function isTestBuyer(ctx: Ctx): Promise<boolean> {
  const { email } = authorizedUser(ctx);
  return (await setting(ctx, 'test_buyers')).includes(email.toLowerCase());
}
