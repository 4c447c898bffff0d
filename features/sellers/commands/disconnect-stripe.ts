import { sql } from 'kysely';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { mailPayoutChanged } from '../mails.ts';
import { destinationWords, readinessOf, type SellerRow, sellerRow } from '../payout-row.ts';
import { mayActAsSeller } from '../rules.ts';

export type DisconnectResult = { ok: true } | { ok: false; reason: 'not_connected' | 'processing' };

/**
 * Takes the connected Stripe account off the seller's record: payouts are 'not set' from then on, unless PayPal was chosen,
 * and what was paid stays written. Refused while a payout is being processed (B-115).
 * @throws Unauthenticated, Forbidden for everyone but active sellers
 */
export async function disconnectStripe(ctx: Ctx): Promise<DisconnectResult> {
  const user = authorizedUser(ctx, mayActAsSeller);
  return ctx.db.tx(async (q): Promise<DisconnectResult> => {
    const before = await sellerRow(q, user.agentId ?? '', true);
    if (before.stripe_account_id === null) return { ok: false, reason: 'not_connected' };
    const { rows } = await sql<{ busy: boolean }>`select
      exists (select from payouts where agent_id = ${before.id} and status = 'processing')
      or exists (select from property_sales where agent_id = ${before.id} and payout_status = 'processing') as busy`.execute(
      q,
    );
    if (rows[0]?.busy) return { ok: false, reason: 'processing' };
    const chosen = before.preferred_payout_method === 'stripe';
    const after: SellerRow = {
      ...before,
      stripe_account_id: null,
      stripe_transfers_active: false,
      preferred_payout_method: chosen ? null : before.preferred_payout_method,
    };
    await q
      .updateTable('agents')
      .set({
        stripe_account_id: null,
        stripe_transfers_active: false,
        stripe_requirement: null,
        preferred_payout_method: after.preferred_payout_method,
        payout_status: readinessOf(after),
      })
      .where('id', '=', before.id)
      .execute();
    if (chosen)
      await mailPayoutChanged(ctx, {
        readers: [user.email],
        name: before.name,
        from: destinationWords(before),
        to: null,
        holdUntil: null,
      });
    await audit(ctx, {
      action: 'seller.disconnect_stripe',
      entity: 'agent',
      entityId: before.id,
      before: { account: before.stripe_account_id },
      after: { account: null },
    });
    return { ok: true };
  });
}
