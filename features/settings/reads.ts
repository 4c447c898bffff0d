import { anyone, authorize, authorizedUser } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { type SavedOperator, type SettingValue, settingDefaults, settingSchemas } from './model.ts';
import {
  mayEditOperator,
  mayReadPayoutApproval,
  mayReadPayoutHold,
  mayReadWriteOffApproval,
} from './rules.ts';
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
 * The cents above which writing off a difference needs a second administrator.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function writeOffApprovalCents(ctx: Ctx): Promise<SettingValue<'write_off_approval_cents'>> {
  authorize(ctx, mayReadWriteOffApproval);
  const name = 'write_off_approval_cents';
  return Math.min(await setting(ctx, name), await setByOthers(ctx, name));
}

/**
 * The cents above which a run of payouts needs a second administrator; null when none does.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function payoutApprovalCents(ctx: Ctx): Promise<SettingValue<'payout_approval_cents'>> {
  authorize(ctx, mayReadPayoutApproval);
  const name = 'payout_approval_cents';
  const limits = [await setting(ctx, name), await setByOthers(ctx, name)].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

/**
 * What a limit was last set to by somebody else than the user, or its default: whoever raises a limit does not raise what they may
 * do alone. For the system, what it is.
 */
async function setByOthers<Name extends 'write_off_approval_cents' | 'payout_approval_cents'>(
  ctx: Ctx,
  name: Name,
): Promise<SettingValue<Name>> {
  if (ctx.actor.kind !== 'user') return setting(ctx, name);
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
  // Without such a row there is nothing to read; a value of null is one.
  return (byOthers && limit.success ? limit.data : settingDefaults[name]) as SettingValue<Name>;
}

/**
 * Whether the user can purchase while payments are in test mode.
 * @throws Unauthenticated
 */
export async function isTestBuyer(ctx: Ctx): Promise<boolean> {
  const { email } = authorizedUser(ctx);
  return (await setting(ctx, 'test_buyers')).includes(email.toLowerCase());
}
