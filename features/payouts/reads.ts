import { mayUseSellerArea } from '#features/sellers/rules.ts';
import { payoutHoldDays } from '#features/settings/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { PayoutSettings } from './model.ts';
import { mayPayOut, type PayoutDecision } from './payout-hold.ts';
import { maskedAccount, payoutMethodOf, sellerRow } from './payout-row.ts';
import { isPaypalToken } from './paypal-token.ts';
import { mayDecidePayouts } from './rules.ts';
import { onboardingPort } from './seller-account.ts';

/**
 * How the seller is paid.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownPayoutSettings(ctx: CtxWith<'payouts'>): Promise<PayoutSettings> {
  const { agentId } = authorizedUser(ctx, mayUseSellerArea);
  const row = await sellerRow(ctx, agentId);
  const { stripe_account_id: account, payout_hold_until: hold } = row;
  return {
    method: payoutMethodOf(row),
    paypalEmail: row.paypal_email,
    paypalConfirmed: row.paypal_confirmed_at !== null,
    stripe: account
      ? {
          account: maskedAccount(account),
          active: row.stripe_transfers_active,
          requirement: row.stripe_requirement,
        }
      : null,
    holdUntil: hold && hold > ctx.now() ? hold.toISOString() : null,
    ready: row.payout_status === 'complete',
    canConnect: onboardingPort(ctx) !== null,
    paypalByHand: ctx.payouts.forMethod('paypal') === null,
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

/**
 * Whether the seller of a sale can be paid now, and if not, why.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function payoutDecision(ctx: Ctx, saleId: string): Promise<PayoutDecision> {
  authorize(ctx, mayDecidePayouts);
  if (!isUuid(saleId)) throw new NotFound();
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .innerJoin('agents as a', 'a.id', 's.agent_id')
    .select(['s.escrow_status', 's.payout_status', 's.released_at', 's.paid_with', 's.frozen_at', 'a.status'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('disputes as d')
          .select('d.id')
          .whereRef('d.sale_id', '=', 's.id')
          .where('d.kind', '=', 'chargeback')
          .where('d.status', 'in', ['open', 'lost']),
      ).as('disputed'),
    )
    .where('s.id', '=', saleId)
    .executeTakeFirst();
  if (!sale) throw new NotFound();
  return mayPayOut(
    {
      escrow: sale.escrow_status,
      payout: sale.payout_status,
      releasedAt: sale.released_at,
      paidWith: sale.paid_with,
      frozen: sale.frozen_at !== null,
      disputed: sale.disputed === true,
      sellerSuspended: sale.status === 'suspended',
    },
    await payoutHoldDays(ctx),
    ctx.now(),
  );
}
