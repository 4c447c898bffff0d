import type { Ctx } from '#platform/context.ts';
import type { Difference, TransactionRow } from './difference.ts';

/** Whether what a break is about is a whole payment with a checkout of its own, which alone can be sent back. */
export function isWholePayment({ transaction, foreign, suspended, postingIds }: Difference): boolean {
  if (!transaction || transaction.checkout_ref === null || foreign) return false;
  const untouched =
    transaction.kind === 'payment' && transaction.amount_settled_at === null && postingIds.length === 0;
  return untouched || suspended;
}

/** Whether the checkout is that of a sale which was paid with it: refunding it would return that payment. */
export async function isCheckoutOfSale(
  ctx: Ctx,
  { id, provider_account_id, checkout_ref }: TransactionRow,
): Promise<boolean> {
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .select('s.id')
    .where('s.provider_session_id', '=', checkout_ref)
    .where((where) =>
      where.or([
        where('s.provider_account_id', 'is', null),
        where('s.provider_account_id', '=', provider_account_id),
      ]),
    )
    .executeTakeFirst();
  const other = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .select('id')
    .where('provider_account_id', '=', provider_account_id)
    .where('checkout_ref', '=', checkout_ref)
    .where('kind', '=', 'payment')
    .where('id', '<>', id)
    .executeTakeFirst();
  return sale !== undefined || other !== undefined;
}
