import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { acknowledgingOf } from '../acknowledging.ts';
import { amountAtStake } from '../amount-at-stake.ts';
import { closeBreak } from '../close-break.ts';
import { type BreakRow, differenceOf, lockBreak } from '../difference.ts';
import { bookDifference } from '../end-break.ts';
import { resolutionOf } from '../give-up.ts';
import type { BreakActionResult } from '../model.ts';
import { mayEndBreaks } from '../rules.ts';

/**
 * Decides about a write-off, another cost or loss, or an acknowledgement that waits: another administrator than the one who asked
 * approves it, any declines it. Declined, the break is open as before; so it is when the amount has changed since. A payment that its
 * sale accepts is agreed to there, and can only be declined here.
 * @throws Unauthenticated, ProofRequired; Forbidden for everyone but administrators; NotFound
 */
export async function decideWriteOff(
  ctx: Ctx,
  { breakId, approve }: { breakId: string; approve: boolean },
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  requireFreshProof(ctx);
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const row = await lockBreak(ctx, breakId);
    const approval = await ctx.db
      .q()
      .selectFrom('break_approvals')
      .selectAll()
      .where('break_id', '=', breakId)
      .where('decision', 'is', null)
      .executeTakeFirst();
    if (!approval) return { ok: false, reason: 'not_awaiting' };
    const own = approval.requested_by === user.id;
    if (approve && own) return { ok: false, reason: 'same_administrator' };
    const { account } = approval;
    if (approve && account === null && !(await acknowledgingOf(ctx, row)))
      return { ok: false, reason: 'elsewhere' };
    const difference = approve && account !== null ? await differenceOf(ctx, row) : null;
    const unchanged =
      account === null
        ? await isStillAcknowledged(ctx, row, approval.amount_cents)
        : difference !== null && amountAtStake(difference) === approval.amount_cents;
    const decision = approve && unchanged ? 'approved' : own ? 'withdrawn' : 'declined';
    await ctx.db
      .q()
      .updateTable('break_approvals')
      .set({ decision, decided_by: user.id, decided_at: ctx.now() })
      .where('id', '=', approval.id)
      .execute();
    await audit(ctx, {
      action: 'break.decide_write_off',
      entity: 'break',
      entityId: breakId,
      after: { decision, amountCents: approval.amount_cents },
    });
    if (decision !== 'approved') {
      await ctx.db.q().updateTable('breaks').set({ state: 'open' }).where('id', '=', breakId).execute();
      return approve ? { ok: false, reason: 'amount_changed' } : { ok: true };
    }
    if (difference && account)
      await bookDifference(ctx, { row, difference }, { account, memo: approval.reason });
    await closeBreak(ctx, {
      id: breakId,
      resolution: account === null ? 'acknowledged' : resolutionOf(account),
      note: approval.reason,
      by: approval.requested_by,
      approvedBy: user.id,
    });
    return { ok: true };
  });
}

/** The same can be acknowledged as when it was asked for. */
async function isStillAcknowledged(ctx: Ctx, row: BreakRow, cents: number): Promise<boolean> {
  const about = await acknowledgingOf(ctx, row);
  return about?.cents === cents && about.suspenseCents === 0 && !about.refundRuns;
}
