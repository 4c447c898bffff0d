import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { visibleText } from '#platform/typed-text.ts';
import { lockBuyer } from './lock-buyer.ts';
import { mailReinstated, mailSuspended } from './mails.ts';
import type { SuspensionResult } from './model.ts';
import { reasonProblem } from './rules.ts';

/** Suspends a buyer or ends that, once, with the audit row, the mail, and a word to the open pages of the buyer. */
export async function setSuspension(
  ctx: Ctx,
  { buyerId, reason: typed, suspended }: { buyerId: string; reason: string; suspended: boolean },
): Promise<SuspensionResult> {
  const reason = visibleText(typed).trim();
  const problem = reasonProblem(reason);
  if (problem) return { ok: false, reason: problem };
  return ctx.db.tx(async (): Promise<SuspensionResult> => {
    const buyer = await lockBuyer(ctx, buyerId);
    if (buyer.closed) return { ok: false, reason: 'closed' };
    if (buyer.suspended === suspended) return { ok: false, reason: 'unchanged' };
    await ctx.db
      .q()
      .updateTable('profiles')
      .set({ suspended_at: suspended ? ctx.now() : null, suspension_reason: suspended ? reason : null })
      .where('id', '=', buyer.id)
      .execute();
    await audit(ctx, {
      action: suspended ? 'buyer.suspend' : 'buyer.reinstate',
      entity: 'user',
      entityId: buyer.id,
      before: { status: suspended ? 'active' : 'suspended' },
      after: { status: suspended ? 'suspended' : 'active', reason },
    });
    await (suspended ? mailSuspended(ctx, buyer, reason) : mailReinstated(ctx, buyer));
    await publish(ctx, { audience: `user:${buyer.id}`, type: 'account', payload: {} });
    return { ok: true, name: buyer.name };
  });
}
