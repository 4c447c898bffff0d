import { anyone, authorize, authorizedUser } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { type SavedOperator, type SettingValue, settingDefaults, settingSchemas } from './model.ts';
import { mayEditOperator, mayReadPayoutHold, mayReadWriteOffApproval } from './rules.ts';
import { auditedValue, derivedSupportAddress, setting } from './setting.ts';

/** The marketplace's name; cached in memory until a setting changes. */
export async function brandName(ctx: Ctx): Promise<string> {
  authorize(ctx, anyone);
  return cached(ctx.db, 'platform_settings', 'brand', () => setting(ctx, 'brand'));
}

/** Where people write to with questions; cached in memory until a setting changes. */
export async function supportAddress(ctx: Ctx): Promise<string> {
  authorize(ctx, anyone);
  const set = await cached(ctx.db, 'platform_settings', 'support_address', () =>
    setting(ctx, 'support_address'),
  );
  return set ?? derivedSupportAddress(ctx);
}

/**
 * The name and the support address as they are stored now, and who has changed them last.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function savedOperator(ctx: Ctx): Promise<SavedOperator> {
  authorize(ctx, mayEditOperator);
  const last = await ctx.db
    .q()
    .selectFrom('platform_settings')
    .leftJoin('users', 'users.id', 'platform_settings.updated_by')
    .select(['users.name', 'platform_settings.updated_at'])
    .where('setting_name', 'in', ['brand', 'support_address'])
    .orderBy('platform_settings.updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    brand: await setting(ctx, 'brand'),
    supportAddress: await setting(ctx, 'support_address'),
    derivedAddress: derivedSupportAddress(ctx),
    changedBy: last?.name ?? null,
    changedAt: last?.updated_at.toISOString() ?? null,
  };
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
 * The cents above which writing off a difference needs a second administrator. Whoever raises it does not raise what they may
 * do alone: for them the limit that somebody else has set last, or the default, still holds.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function writeOffApprovalCents(ctx: Ctx): Promise<SettingValue<'write_off_approval_cents'>> {
  authorize(ctx, mayReadWriteOffApproval);
  const name = 'write_off_approval_cents';
  const cents = await setting(ctx, name);
  if (ctx.actor.kind !== 'user') return cents;
  const byOthers = await ctx.db
    .q()
    .selectFrom('audit_log')
    .select('after')
    .where('entity', '=', 'platform_setting')
    .where('entity_id', '=', name)
    .where('actor_id', 'is distinct from', ctx.actor.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const limit = settingSchemas[name].safeParse(auditedValue(byOthers?.after));
  return Math.min(cents, limit.success ? limit.data : settingDefaults[name]);
}

/**
 * Whether the user can purchase while payments are in test mode.
 * @throws Unauthenticated
 */
export async function isTestBuyer(ctx: Ctx): Promise<boolean> {
  const { email } = authorizedUser(ctx);
  return (await setting(ctx, 'test_buyers')).includes(email.toLowerCase());
}
