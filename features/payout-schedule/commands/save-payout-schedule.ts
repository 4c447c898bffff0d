import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { payoutApprovalCents, savedPayoutApproval } from '#features/settings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import type { SaveScheduleResult, ScheduleSettings, TypedSchedule } from '../model.ts';
import { maySaveSchedule, parseSchedule, type StorableSchedule, scheduleVersion } from '../rules.ts';
import { asSchedule, storedSchedule } from '../stored.ts';

/**
 * Sets when sellers are paid without an administrator, what they have to be owed for it, and above which total a second
 * administrator approves payouts. Saving a threshold that somebody else has raised makes it hold for everybody.
 * @param input `seen` is `scheduleVersion` of what the administrator saw
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function savePayoutSchedule(
  ctx: Ctx,
  { seen, ...typed }: TypedSchedule & { seen: string },
): Promise<SaveScheduleResult> {
  const user = authorizedUser(ctx, maySaveSchedule);
  requireFreshProof(ctx);
  const parsed = parseSchedule(typed);
  if (!parsed.ok) return { ok: false, reason: 'invalid', errors: parsed.errors };
  const wanted = parsed.settings;
  return ctx.db.tx(async (): Promise<SaveScheduleResult> => {
    await takeLock(ctx, 'payout schedule');
    const current = await storedSchedule(ctx);
    if (scheduleVersion(current) !== seen && scheduleVersion(current) !== scheduleVersion(wanted))
      return { ok: false, reason: 'newer', current };
    await write(ctx, current, wanted, user.id);
    return { ok: true };
  });
}

async function write(
  ctx: Ctx,
  current: ScheduleSettings,
  { frequency, minimumCents, approvalCents }: StorableSchedule,
  by: string,
): Promise<void> {
  if (frequency !== current.frequency || minimumCents !== current.minimumCents)
    await changeSetting(ctx, { name: 'payout_schedule', value: { frequency, minimumCents } });
  if (approvalCents !== current.approvalCents || (await isRaisedByOther(ctx, by)))
    await changeSetting(ctx, { name: 'payout_approval_cents', value: approvalCents });
}

async function isRaisedByOther(ctx: Ctx, by: string): Promise<boolean> {
  const { cents, changedBy } = await savedPayoutApproval(ctx);
  return changedBy !== null && changedBy !== by && cents !== (await payoutApprovalCents(asSchedule(ctx)));
}
