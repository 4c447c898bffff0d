import { mayUseSellerArea } from '#features/sellers/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { PayoutSettings } from './model.ts';
import { payoutMethodOf, sellerRow } from './payout-row.ts';
import { isPaypalToken } from './paypal-token.ts';

/**
 * How the seller is paid.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownPayoutSettings(ctx: Ctx): Promise<PayoutSettings> {
  const { agentId } = authorizedUser(ctx, mayUseSellerArea);
  const row = await sellerRow(ctx, agentId);
  const { stripe_account_id: account, payout_hold_until: hold } = row;
  return {
    method: payoutMethodOf(row),
    paypalEmail: row.paypal_email,
    paypalConfirmed: row.paypal_confirmed_at !== null,
    stripe: account
      ? {
          account: `…${account.slice(-4)}`,
          active: row.stripe_transfers_active,
          requirement: row.stripe_requirement,
        }
      : null,
    holdUntil: hold && hold > ctx.now() ? hold.toISOString() : null,
    ready: row.payout_status === 'complete',
  };
}

/**
 * Whether a mailed link confirms the PayPal address that the seller has saved.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function isPaypalLinkValid(ctx: Ctx, token: string): Promise<boolean> {
  const { agentId } = authorizedUser(ctx, mayUseSellerArea);
  const { id, paypal_email } = await sellerRow(ctx, agentId);
  return paypal_email !== null && isPaypalToken(ctx.config, id, paypal_email, token);
}
