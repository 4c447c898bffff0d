import { writeOffApprovalCents } from '#features/settings/reads.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { askForApproval } from '../give-up.ts';

/**
 * `alone`: below the threshold, one administrator decides; `asked`: another one has to accept it, too; `own`: the same one has
 * asked already; otherwise who asked, now that another administrator has agreed.
 */
type ShortfallApproval = 'alone' | 'asked' | 'own' | { askedBy: string };

/**
 * Has a shortfall that is about to be written off pass a second administrator above the threshold of the settings, in the current
 * transaction with the sale locked: the first to accept the payment only asks, and another one who accepts the same amount agrees.
 * An amount that has changed since is asked for anew.
 * @param by the administrator who accepts the payment
 * @throws Unauthenticated; Forbidden for everyone but administrators, as for reading the threshold
 */
export async function approveShortfall(
  ctx: Ctx,
  { saleId, cents, reason, by }: { saleId: string; cents: number; reason: string; by: string },
): Promise<ShortfallApproval> {
  if (cents <= (await writeOffApprovalCents(ctx))) return 'alone';
  const { id: breakId } = await ctx.db
    .q()
    .selectFrom('breaks')
    .select('id')
    .where('sale_id', '=', saleId)
    .where('kind', '=', 'payment_mismatch')
    .where('state', '<>', 'resolved')
    .orderBy('created_at')
    .forUpdate()
    .executeTakeFirstOrThrow();
  const waiting = await ctx.db
    .q()
    .selectFrom('break_approvals')
    .selectAll()
    .where('break_id', '=', breakId)
    .where('decision', 'is', null)
    .executeTakeFirst();
  const isSame = waiting?.amount_cents === cents;
  if (waiting && isSame && waiting.requested_by === by) return 'own';
  if (waiting) {
    const decision = isSame ? 'approved' : 'withdrawn';
    await ctx.db
      .q()
      .updateTable('break_approvals')
      .set({ decision, decided_by: by, decided_at: ctx.now() })
      .where('id', '=', waiting.id)
      .execute();
    await audit(ctx, {
      action: 'break.decide_write_off',
      entity: 'break',
      entityId: breakId,
      after: { decision, amountCents: waiting.amount_cents },
    });
    if (isSame) return { askedBy: waiting.requested_by };
  }
  await askForApproval(ctx, { breakId, cents, account: null, reason, by });
  return 'asked';
}
