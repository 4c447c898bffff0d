import { mayUseSellerArea } from '#features/sellers/rules.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedSeller } from '#platform/access.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { askAbout, type SyncAccountResult } from '../ask-account.ts';
import { payoutLimits } from '../limits.ts';
import { maySyncAccounts } from '../rules.ts';
import { currentAccount } from '../seller-account.ts';

/**
 * Asks the provider about an account that a message names, and writes down what it answers.
 * @throws Unauthenticated, Forbidden for every user; PaymentError
 */
export async function syncSellerAccount(
  ctx: CtxWith<'payouts'>,
  { provider, account }: { provider: string; account: string },
): Promise<SyncAccountResult> {
  authorize(ctx, maySyncAccounts);
  const row = await ctx.db
    .q()
    .selectFrom('seller_accounts')
    .selectAll()
    .where('provider', '=', provider)
    .where('ref', '=', account)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row ? askAbout(ctx, row) : 'unknown';
}

/**
 * Asks the provider about the seller's own account, when the seller comes back from its page. Suspended sellers, too: it only
 * writes down what is so.
 * @throws Unauthenticated, Forbidden for everyone but sellers; TooManyRequests; PaymentError
 */
export async function syncOwnAccount(ctx: CtxWith<'payouts'>): Promise<SyncAccountResult> {
  const { id, agentId } = authorizedSeller(ctx, mayUseSellerArea);
  await takeTokens(ctx, payoutLimits.account, `user:${id}`);
  const row = await currentAccount(ctx, agentId);
  return row?.ref ? askAbout(ctx, row) : 'unknown';
}
