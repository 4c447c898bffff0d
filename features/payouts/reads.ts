import { mayUseSellerArea } from '#features/sellers/rules.ts';
import { payoutHoldDays } from '#features/settings/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { latestPayouts } from './load-latest.ts';
import { loadPayable, loadPayables } from './load-payable.ts';
import type { PayoutSettings } from './model.ts';
import { decidePayout, type PayoutDecision } from './payout-decision.ts';
import { maskedAccount, payoutMethodOf, sellerRow } from './payout-row.ts';
import { isPaypalToken } from './paypal-token.ts';
import { isRightMode, mayDecidePayouts } from './rules.ts';
import { canOnboard } from './seller-account.ts';
import { type PayoutStanding, payoutStanding } from './standing.ts';

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
    canConnect: canOnboard(ctx),
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
export async function payoutDecision(ctx: CtxWith<'payouts'>, saleId: string): Promise<PayoutDecision> {
  authorize(ctx, mayDecidePayouts);
  const payable = isUuid(saleId) && (await loadPayable(ctx, saleId));
  if (!payable) throw new NotFound();
  const method = payable.facts.seller?.method ?? null;
  const port = method && ctx.payouts.forMethod(method);
  return decidePayout(
    { ...payable.facts, rightMode: isRightMode(ctx.config, payable.livemode, port) },
    { isNothing: payable.payableCents === 0, days: await payoutHoldDays(ctx), now: ctx.now() },
  );
}

/**
 * Where the payouts of the seller's own sales stand, by sale; sales of others, and those of which nothing is to be paid (yet), are
 * left out.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function payoutStandings(
  ctx: CtxWith<'payouts'>,
  saleIds: readonly string[],
): Promise<Record<string, PayoutStanding>> {
  const { agentId } = authorizedUser(ctx, mayUseSellerArea);
  const payables = await loadPayables(ctx, saleIds.filter(isUuid));
  const latest = await latestPayouts(ctx, [...payables.keys()]);
  const days = await payoutHoldDays(asSystem(ctx, 'payouts'));
  const standings: Record<string, PayoutStanding> = {};
  for (const [saleId, { facts, livemode, payableCents, agentId: owner }] of payables) {
    if (owner !== agentId || facts.payout === null) continue;
    const port = facts.seller?.method ? ctx.payouts.forMethod(facts.seller.method) : null;
    const decision = decidePayout(
      { ...facts, rightMode: isRightMode(ctx.config, livemode, port) },
      { isNothing: payableCents === 0, days, now: ctx.now() },
    );
    standings[saleId] = payoutStanding({
      payout: facts.payout,
      decision,
      latest: latest.get(saleId) ?? null,
      dueCents: payableCents,
    });
  }
  return standings;
}
