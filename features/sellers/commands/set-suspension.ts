import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import { lockManagedSeller } from '../lock-managed.ts';
import { mailReactivation, mailSuspension } from '../mails.ts';
import { mayManageSellers } from '../rules.ts';

interface SuspensionInput {
  sellerId: string;
  /** for the record, and for the seller */
  reason: string;
}

export type SuspensionResult =
  | { ok: true }
  | { ok: false; reason: 'no_reason' }
  /** it is so already, perhaps because another administrator was faster */
  | { ok: false; reason: 'already' };

/**
 * Suspends a seller and mails them why: they can still sign in and read, their listings are hidden and cannot be bought or
 * asked about, payouts wait, and sales that have begun go on.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function suspendSeller(ctx: Ctx, input: SuspensionInput): Promise<SuspensionResult> {
  authorize(ctx, mayManageSellers);
  return setStatus(ctx, input, 'suspended');
}

/**
 * Ends a suspension: exactly the listings that it hid are shown again.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function reactivateSeller(ctx: Ctx, input: SuspensionInput): Promise<SuspensionResult> {
  authorize(ctx, mayManageSellers);
  return setStatus(ctx, input, 'active');
}

async function setStatus(
  ctx: Ctx,
  { sellerId, reason: typed }: SuspensionInput,
  status: 'active' | 'suspended',
): Promise<SuspensionResult> {
  const reason = cutText(typed.trim(), REASON_MAX_LENGTH);
  if (reason === '') return { ok: false, reason: 'no_reason' };
  return ctx.db.tx(async (): Promise<SuspensionResult> => {
    const seller = await lockManagedSeller(ctx, sellerId);
    if (seller.status === status) return { ok: false, reason: 'already' };
    // A trigger hides and shows the listings.
    await ctx.db
      .q()
      .updateTable('agents')
      .set({ status, status_reason: status === 'suspended' ? reason : null })
      .where('id', '=', seller.id)
      .execute();
    await audit(ctx, {
      action: status === 'suspended' ? 'seller.suspend' : 'seller.reactivate',
      entity: 'agent',
      entityId: seller.id,
      before: { status: seller.status },
      after: { status, reason },
    });
    await (status === 'suspended' ? mailSuspension : mailReactivation)(ctx, seller, reason);
    return { ok: true };
  });
}
