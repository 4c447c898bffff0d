import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { mayCarryOutPayouts } from '../rules.ts';
import { syncPayout } from './sync-payout.ts';

/**
 * Asks about every payout of a sale that has a provider.
 * @throws Unauthenticated, Forbidden for every user; PaymentError when a provider does not answer
 */
export async function syncSalePayouts(
  ctx: CtxWith<'payouts'>,
  { saleId }: { saleId: string },
): Promise<void> {
  authorize(ctx, mayCarryOutPayouts);
  const payouts = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('id')
    .where('sale_id', '=', saleId)
    .where('provider', 'is not', null)
    .orderBy('attempt')
    .execute();
  for (const { id } of payouts) await syncPayout(ctx, { payoutId: id });
}
