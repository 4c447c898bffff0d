import { mayActAsSeller } from '#features/sellers/rules.ts';
import type { SellerAccount } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedSeller, type SellerActor } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { recordAccountState } from '../account-state.ts';
import { isPayoutRunning } from '../is-payout-running.ts';
import { payoutLimits } from '../limits.ts';
import { mailPayoutChanged } from '../mails.ts';
import {
  auditedSettings,
  destinationLabel,
  destinationOf,
  payoutReadinessOf,
  type SellerRow,
  sellerRow,
} from '../payout-row.ts';
import { PAYOUT_HOLD_MS } from '../rules.ts';
import {
  belongsTo,
  currentAccount,
  endCurrentAccount,
  FOREIGN_ACCOUNT,
  type OnboardingPort,
  onboardingPort,
  type SellerAccountRow,
} from '../seller-account.ts';

type ConnectResult =
  /** the provider's page, usable once and for some minutes */
  | { ok: true; url: string }
  /**
   * `not_available`: no provider is configured; `processing`: a payout to the former account is under way; `newer`: the seller
   * has disconnected meanwhile, in another tab
   */
  | { ok: false; reason: 'not_available' | 'processing' | 'newer' };

/**
 * Leads the seller to the provider's page, where an account for payouts is set up. The account is opened once: it is on record
 * before the provider is asked, under a key of its own, so two tabs and a repetition after a crash open the same one. A seller
 * without a payout method gets this one, as a change of the destination like any other (mails, hold).
 * @throws Unauthenticated, Forbidden for everyone but active sellers; TooManyRequests; PaymentError
 */
export async function connectStripe(ctx: CtxWith<'payouts'>): Promise<ConnectResult> {
  const seller = authorizedSeller(ctx, mayActAsSeller);
  await takeTokens(ctx, payoutLimits.account, `user:${seller.id}`);
  const port = await onboardingPort(ctx);
  if (!port) return { ok: false, reason: 'not_available' };
  const account = await beginAccount(ctx, seller, port);
  if (!account) return { ok: false, reason: 'processing' };
  const ref = account.ref ?? (await openAccount(ctx, seller, account, port));
  if (ref === null) return { ok: false, reason: 'newer' };
  const url = (path: string) => ctx.config.publicUrl + path;
  const link = await port.onboarding.link(ref, {
    returnUrl: url(sellerPaths.stripeReturn()),
    refreshUrl: url(sellerPaths.stripeRefresh()),
  });
  return { ok: true, url: link.url };
}

/** The account on record, or a new one that the provider is to be asked for; null while a payout goes to a former one. */
async function beginAccount(
  ctx: Ctx,
  { agentId }: SellerActor,
  port: OnboardingPort,
): Promise<SellerAccountRow | null> {
  return ctx.db.tx(async () => {
    const { name, email } = await sellerRow(ctx, agentId, true);
    const known = await currentAccount(ctx, agentId);
    if (known && belongsTo(known, port)) return known;
    if (known && (await isPayoutRunning(ctx, agentId))) return null;
    if (known)
      await recordAccountState(ctx, agentId, { transfersActive: false, requirement: FOREIGN_ACCOUNT });
    await endCurrentAccount(ctx, agentId);
    const { provider, livemode, accountId } = port;
    return ctx.db
      .q()
      .insertInto('seller_accounts')
      .values({
        agent_id: agentId,
        provider,
        livemode,
        provider_account_id: accountId,
        name,
        email,
        created_at: ctx.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Asks the provider; null when the account on record has ended meanwhile. */
async function openAccount(
  ctx: Ctx,
  seller: SellerActor,
  { id, agent_id: agentId, name, email }: SellerAccountRow,
  { onboarding }: OnboardingPort,
): Promise<string | null> {
  const opened = await onboarding.create({ agentId, name, email }, `account:${id}`);
  return ctx.db.tx(async () => {
    await recordAccount(ctx, seller, id, opened);
    const account = await currentAccount(ctx, agentId);
    return account?.id === id ? account.ref : null;
  });
}

/** Writes down what the provider answered, once: another tab may have been faster, or the seller may have disconnected. */
async function recordAccount(
  ctx: Ctx,
  seller: SellerActor,
  id: string,
  opened: SellerAccount,
): Promise<void> {
  const before = await sellerRow(ctx, seller.agentId, true);
  const q = ctx.db.q();
  const recorded = await q
    .updateTable('seller_accounts')
    .set({ ref: opened.ref })
    .where('id', '=', id)
    .where('ref', 'is', null)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!recorded) return;
  const connected: SellerRow = {
    ...before,
    stripe_account_id: opened.ref,
    stripe_transfers_active: opened.transfersActive,
    stripe_requirement: opened.transfersActive ? null : opened.requirement,
    preferred_payout_method: before.preferred_payout_method ?? 'stripe',
  };
  const changed = destinationOf(before) !== destinationOf(connected);
  const holdUntil = changed ? new Date(ctx.now().getTime() + PAYOUT_HOLD_MS) : before.payout_hold_until;
  await q
    .updateTable('agents')
    .set({
      stripe_account_id: connected.stripe_account_id,
      stripe_transfers_active: connected.stripe_transfers_active,
      stripe_requirement: connected.stripe_requirement,
      preferred_payout_method: connected.preferred_payout_method,
      payout_status: payoutReadinessOf(connected),
      payout_hold_until: holdUntil,
    })
    .where('id', '=', before.id)
    .execute();
  if (changed)
    await mailPayoutChanged(ctx, {
      recipients: [seller.email],
      name: before.name,
      from: destinationLabel(before),
      to: destinationLabel(connected),
      holdUntil,
    });
  await audit(ctx, {
    action: 'seller.connect_stripe',
    entity: 'agent',
    entityId: before.id,
    before: auditedSettings(before),
    after: { ...auditedSettings(connected), ...(changed && { holdUntil }) },
  });
}
