import type { CtxWith } from '#gateways/ports.ts';
import { syncPayout } from './commands/sync-payout.ts';
import { syncSellerAccount } from './commands/sync-seller-account.ts';

/** A stored message of a provider about a payout, by its key, or about a seller's account. */
interface PayoutMessage {
  provider: string;
  payoutKey: string | null;
  account: string | null;
}

/**
 * Asks the provider about what a message names.
 * @returns false when it is none of ours
 * @throws PaymentError when the provider does not answer
 */
export async function followPayoutMessage(
  ctx: CtxWith<'payouts'>,
  { provider, payoutKey, account }: PayoutMessage,
): Promise<boolean> {
  if (payoutKey !== null) {
    const row = await ctx.db
      .q()
      .selectFrom('payouts')
      .select('id')
      .where('idempotency_key', '=', payoutKey)
      .executeTakeFirst();
    if (row) await syncPayout(ctx, { payoutId: row.id });
    return row !== undefined;
  }
  return account !== null && (await syncSellerAccount(ctx, { provider, account })) !== 'unknown';
}
