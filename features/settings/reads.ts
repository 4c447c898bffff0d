import { sql } from 'kysely';
import { anyone, authorize, authorizedUser } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import {
  type SavedOperator,
  type SettingName,
  type SettingValue,
  settingDefaults,
  settingSchemas,
} from './model.ts';
import { mayEditOperator, mayReadPayoutHold, mayReadPayoutRules, mayReadWriteOffApproval } from './rules.ts';
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

/** Whether a listing goes live only once an administrator has verified its ownership. */
export async function ownershipProofRequired(ctx: Ctx): Promise<boolean> {
  authorize(ctx, anyone);
  return setting(ctx, 'ownership_proof_required');
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
  const user = authorizedUser(ctx, mayReadWriteOffApproval);
  const name = 'write_off_approval_cents';
  return Math.min(...(await Promise.all([setting(ctx, name), valueByOthers(ctx, name, user.id)])));
}

/**
 * When sellers are paid without an administrator, and since when they are paid that often; null while nobody has changed it. Whoever
 * has set how often, which is nobody for the default and the command line, counts as the one who asks for these payouts.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function payoutSchedule(
  ctx: Ctx,
): Promise<SettingValue<'payout_schedule'> & { since: Date | null; setBy: string | null }> {
  authorize(ctx, mayReadPayoutRules);
  const [schedule, row, changed] = await Promise.all([
    setting(ctx, 'payout_schedule'),
    ctx.db
      .q()
      .selectFrom('platform_settings')
      .select('updated_at')
      .where('setting_name', '=', 'payout_schedule')
      .executeTakeFirst(),
    frequencyChanged(ctx),
  ]);
  return { ...schedule, since: changed?.at ?? row?.updated_at ?? null, setBy: changed?.actor_id ?? null };
}

/** When and by whom the frequency was changed last: a change of the minimum alone must not skip a period that has just begun. */
async function frequencyChanged(ctx: Ctx): Promise<{ at: Date; actor_id: string | null } | undefined> {
  return ctx.db
    .q()
    .selectFrom('audit_log')
    .select(['at', 'actor_id'])
    .where('entity', '=', 'platform_setting')
    .where('entity_id', '=', 'payout_schedule')
    .where(sql<boolean>`after #>> '{value,frequency}' is distinct from before #>> '{value,frequency}'`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * The cents above which a payout run needs a second administrator; null for never. Whoever raises it is still bound by what
 * somebody else has set last, or by the default. A run of the schedule is bound like whoever has changed it last, so that nobody
 * can have the schedule pay what they may not pay alone.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function payoutApprovalCents(ctx: Ctx): Promise<SettingValue<'payout_approval_cents'>> {
  authorize(ctx, mayReadPayoutRules);
  const name = 'payout_approval_cents';
  const set = await setting(ctx, name);
  const asker = ctx.actor.kind === 'user' ? ctx.actor.id : await lastChangedBy(ctx, name);
  if (asker === null) return set;
  const bounds = [set, await valueByOthers(ctx, name, asker)].filter((bound) => bound !== null);
  return bounds.length === 0 ? null : Math.min(...bounds);
}

/**
 * The threshold of `payoutApprovalCents` as it is set, which may be more than what binds the one who asks, and who has set it.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function savedPayoutApproval(
  ctx: Ctx,
): Promise<{ cents: number | null; changedBy: string | null }> {
  authorize(ctx, mayReadPayoutRules);
  const name = 'payout_approval_cents';
  const [cents, changedBy] = await Promise.all([setting(ctx, name), lastChangedBy(ctx, name)]);
  return { cents, changedBy };
}

/** The account that has changed a setting last; null for nobody or the command line. */
async function lastChangedBy(ctx: Ctx, name: SettingName): Promise<string | null> {
  const last = await ctx.db
    .q()
    .selectFrom('audit_log')
    .select('actor_id')
    .where('entity', '=', 'platform_setting')
    .where('entity_id', '=', name)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.actor_id ?? null;
}

/** What somebody else than the given account has set last, or the default. */
async function valueByOthers<Name extends SettingName>(
  ctx: Ctx,
  name: Name,
  than: string | null,
): Promise<SettingValue<Name>> {
  const byOthers = await ctx.db
    .q()
    .selectFrom('audit_log')
    .select('after')
    .where('entity', '=', 'platform_setting')
    .where('entity_id', '=', name)
    .where('actor_id', 'is distinct from', than)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const value = settingSchemas[name].safeParse(auditedValue(byOthers?.after));
  return value.success ? (value.data as SettingValue<Name>) : settingDefaults[name];
}

/**
 * Whether the user can purchase while payments are in test mode.
 * @throws Unauthenticated
 */
export async function isTestBuyer(ctx: Ctx): Promise<boolean> {
  const { email } = authorizedUser(ctx);
  return (await setting(ctx, 'test_buyers')).includes(email.toLowerCase());
}
