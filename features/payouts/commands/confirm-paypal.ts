import { mayActAsSeller } from '#features/sellers/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { auditedSettings, payoutReadinessOf, sellerRow } from '../payout-row.ts';
import { isPaypalToken } from '../paypal-token.ts';

type ConfirmPaypalResult = { ok: true } | { ok: false; reason: 'token' };

/**
 * Confirms the saved PayPal address with the token that was mailed to it, for the seller who saved it. Confirming twice
 * succeeds.
 * @throws Unauthenticated, Forbidden for everyone but active sellers
 */
export async function confirmPaypal(ctx: Ctx, { token }: { token: string }): Promise<ConfirmPaypalResult> {
  const user = authorizedUser(ctx, mayActAsSeller);
  return ctx.db.tx(async (): Promise<ConfirmPaypalResult> => {
    const row = await sellerRow(ctx, user.agentId, true);
    const email = row.paypal_email;
    const isOurs = email !== null && isPaypalToken(ctx.config, row.id, email, token);
    if (!isOurs) return { ok: false, reason: 'token' };
    if (row.paypal_confirmed_at !== null) return { ok: true };
    const confirmed = { ...row, paypal_confirmed_at: ctx.now() };
    await ctx.db
      .q()
      .updateTable('agents')
      .set({
        paypal_confirmed_at: confirmed.paypal_confirmed_at,
        payout_status: payoutReadinessOf(confirmed),
      })
      .where('id', '=', row.id)
      .execute();
    await audit(ctx, {
      action: 'seller.confirm_paypal',
      entity: 'agent',
      entityId: row.id,
      before: auditedSettings(row),
      after: auditedSettings(confirmed),
    });
    return { ok: true };
  });
}
