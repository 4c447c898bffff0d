import { mayActAsSeller } from '#features/sellers/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { isPayoutRunning } from '../is-payout-running.ts';
import { mailPayoutChanged } from '../mails.ts';
import {
  auditedSettings,
  destinationLabel,
  payoutReadinessOf,
  type SellerRow,
  sellerRow,
} from '../payout-row.ts';
import { endCurrentAccount } from '../seller-account.ts';

type DisconnectResult = { ok: true } | { ok: false; reason: 'not_connected' | 'processing' };

/**
 * Disconnects the seller's Stripe account: payouts are 'not set' from then on, unless PayPal was chosen. The payout
 * history is kept. Refused while a payout is being processed.
 * @throws Unauthenticated, Forbidden for everyone but active sellers
 */
export async function disconnectStripe(ctx: Ctx): Promise<DisconnectResult> {
  const user = authorizedUser(ctx, mayActAsSeller);
  return ctx.db.tx(async (): Promise<DisconnectResult> => {
    const before = await sellerRow(ctx, user.agentId, true);
    if (before.stripe_account_id === null) return { ok: false, reason: 'not_connected' };
    if (await isPayoutRunning(ctx, before.id)) return { ok: false, reason: 'processing' };
    await endCurrentAccount(ctx, before.id);
    const chosen = before.preferred_payout_method === 'stripe';
    const after: SellerRow = {
      ...before,
      stripe_account_id: null,
      stripe_transfers_active: false,
      preferred_payout_method: chosen ? null : before.preferred_payout_method,
    };
    await ctx.db
      .q()
      .updateTable('agents')
      .set({
        stripe_account_id: null,
        stripe_transfers_active: false,
        stripe_requirement: null,
        preferred_payout_method: after.preferred_payout_method,
        payout_status: payoutReadinessOf(after),
      })
      .where('id', '=', before.id)
      .execute();
    if (chosen)
      await mailPayoutChanged(ctx, {
        recipients: [user.email],
        name: before.name,
        from: destinationLabel(before),
        to: null,
        holdUntil: null,
      });
    await audit(ctx, {
      action: 'seller.disconnect_stripe',
      entity: 'agent',
      entityId: before.id,
      before: auditedSettings(before),
      after: auditedSettings(after),
    });
    return { ok: true };
  });
}
