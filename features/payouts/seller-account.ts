import type { Selectable } from 'kysely';
import type { PayoutOnboarding, PayoutsPort } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';

/** A seller's account at a provider; `ref` is null until the provider has answered. */
export type SellerAccountRow = Selectable<DB['seller_accounts']>;

/** A provider that sellers have an account with. */
export interface OnboardingPort extends Pick<PayoutsPort, 'provider' | 'livemode'> {
  onboarding: PayoutOnboarding;
}

/** The provider that sellers can connect an account with now; null when none is configured. */
export function onboardingPort({ payouts }: Pick<CtxWith<'payouts'>, 'payouts'>): OnboardingPort | null {
  const port = payouts.forMethod('stripe');
  if (!port?.onboarding) return null;
  const { provider, livemode, onboarding } = port;
  return { provider, livemode, onboarding };
}

/** What a seller has to do whose account is of another provider or mode than the one that pays now. */
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

/** Whether an account is one of this provider in its mode: test accounts cannot be paid with live keys, nor those of a sandbox. */
export const belongsTo = (
  account: Pick<SellerAccountRow, 'provider' | 'livemode'>,
  port: Pick<PayoutsPort, 'provider' | 'livemode'>,
): boolean => account.provider === port.provider && account.livemode === port.livemode;

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
