import type { SaleRow } from '#features/sales/sale-row.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { reopenPayout } from '../reopen-payout.ts';
import { mayFollowShares } from '../rules.ts';
import { askForMoneyBack } from '../take-back.ts';

/**
 * What follows for the payout of a locked sale, in the current transaction, when money went back to the buyer or came back: what the
 * seller was paid too much is asked back, what the seller is owed again is paid by another payout.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function followShare(ctx: Ctx, sale: SaleRow): Promise<SaleRow> {
  authorize(ctx, mayFollowShares);
  if (sale.payout_status === null) return sale;
  const after = await reopenPayout(ctx, sale);
  await askForMoneyBack(ctx, after);
  return after;
}
