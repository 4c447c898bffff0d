import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { PayoutSettings, Registration, SellerProfile } from './model.ts';
import { methodOf, sellerRow } from './payout-row.ts';
import { isPaypalToken } from './paypal-token.ts';
import { lookUp } from './registration.ts';
import { mayRegister, mayUseSellerArea } from './rules.ts';

/** What a registration link opens, for its page (S0 §2 'Seller registration', B-095). */
export async function registrationOf(
  ctx: Ctx,
  link: { id: string | null; token: string | null },
): Promise<Registration> {
  authorize(ctx, mayRegister);
  return lookUp(ctx, link);
}

/**
 * The seller's own profile, as buyers meet it (B-009).
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownSeller(ctx: Ctx): Promise<SellerProfile> {
  const { agentId } = authorizedUser(ctx, mayUseSellerArea);
  const row = await ctx.db
    .q()
    .selectFrom('agents as a')
    .select(['a.id', 'a.name', 'a.email', 'a.registered_at'])
    .select((of) => [
      of
        .selectFrom('properties')
        .select((count) => count.fn.countAll<number>().filterWhere('status', '=', 'Active').as('n'))
        .whereRef('agent_id', '=', 'a.id')
        .where('deleted_at', 'is', null)
        .as('active'),
      of
        .selectFrom('properties')
        .select((count) => count.fn.countAll<number>().filterWhere('status', '=', 'Sold').as('n'))
        .whereRef('agent_id', '=', 'a.id')
        .where('deleted_at', 'is', null)
        .as('sold'),
    ])
    .where('a.id', '=', agentId)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    registeredAt: row.registered_at?.toISOString() ?? null,
    activeListings: Number(row.active),
    soldListings: Number(row.sold),
  };
}

/**
 * How the seller is paid (S0 §2 'Seller settings').
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownPayout(ctx: Ctx): Promise<PayoutSettings> {
  const { agentId } = authorizedUser(ctx, mayUseSellerArea);
  const row = await sellerRow(ctx.db.q(), agentId ?? '');
  const { stripe_account_id: account, payout_hold_until: hold } = row;
  return {
    method: methodOf(row),
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
 * Whether a mailed link confirms the PayPal address that the seller has saved (B-099).
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function paypalLinkWorks(ctx: Ctx, token: string): Promise<boolean> {
  const { agentId } = authorizedUser(ctx, mayUseSellerArea);
  const { id, paypal_email } = await sellerRow(ctx.db.q(), agentId ?? '');
  return paypal_email !== null && isPaypalToken(ctx.config, id, paypal_email, token);
}
