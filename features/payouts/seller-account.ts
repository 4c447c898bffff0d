import type { Selectable } from 'kysely';
import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import type { PayoutOnboarding, PayoutsPort } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';

/** A seller's account at a provider; `ref` is null until the provider has answered. */
export type SellerAccountRow = Selectable<DB['seller_accounts']>;

/** Whose accounts of sellers can be paid: a provider in one mode, and our account there. */
type Payer = Pick<PayoutsPort, 'provider' | 'livemode'> & { accountId: string };

/** A provider that sellers have an account with. */
export interface OnboardingPort extends Payer {
  onboarding: PayoutOnboarding;
}

/** Whether there is a provider that sellers can connect an account with now. */
export const canOnboard = ({ payouts }: Pick<CtxWith<'payouts'>, 'payouts'>): boolean =>
  payouts.forMethod('stripe')?.onboarding !== undefined;

/**
 * The provider that sellers can connect an account with now; null when none is configured. Never inside a transaction.
 * @throws PaymentError when it does not say whose its keys are
 */
export async function onboardingPort(ctx: CtxWith<'payouts'>): Promise<OnboardingPort | null> {
  const port = ctx.payouts.forMethod('stripe');
  if (!port?.onboarding) return null;
  const { provider, livemode, onboarding } = port;
  return { provider, livemode, onboarding, accountId: await ourAccountAt(ctx, port) };
}

/** The row of our account at a provider of payouts. */
export const ourAccountAt = async (ctx: Ctx, port: PayoutsPort): Promise<string> => {
  const { accountProvider: provider, livemode } = port;
  const account = await port.account();
  return ensureProviderAccount(asSystem(ctx, 'payouts'), { provider, livemode, account });
};

/** What a seller has to do whose account is of another provider, mode or account of ours than the one that pays now. */
export const FOREIGN_ACCOUNT = 'This account no longer works here. Disconnect it and connect again.';
/** … whose account the provider does not know. */
export const GONE_ACCOUNT = 'Stripe no longer knows this account. Disconnect it and connect again.';

/** The account that a seller has connected, or is connecting; null without one. */
export async function currentAccount(ctx: Ctx, agentId: string): Promise<SellerAccountRow | null> {
  const row = await ctx.db
    .q()
    .selectFrom('seller_accounts')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Whether an account is one of this provider in its mode, opened by our account there: test accounts cannot be paid with live keys,
 * nor those of a sandbox, nor those that another account of ours has opened. Of old ones that is not known yet.
 */
export const belongsTo = (
  account: Pick<SellerAccountRow, 'provider' | 'livemode' | 'provider_account_id'>,
  { provider, livemode, accountId }: Payer,
): boolean =>
  account.provider === provider &&
  account.livemode === livemode &&
  (account.provider_account_id ?? accountId) === accountId;

/** Ends the current account, if there is one; it stays on record. */
export async function endCurrentAccount(ctx: Ctx, agentId: string): Promise<void> {
  await ctx.db
    .q()
    .updateTable('seller_accounts')
    .set({ ended_at: ctx.now() })
    .where('agent_id', '=', agentId)
    .where('ended_at', 'is', null)
    .execute();
}
