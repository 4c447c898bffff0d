import { sql } from 'kysely';
import { partsProviders } from '#gateways/payments/providers.ts';
import type { Ctx } from '#platform/context.ts';
import type { Difference, TransactionRow } from './difference.ts';

/** Whether what a break is about is a whole payment that its provider names by a checkout or a reference, which alone can be sent back. */
export function isWholePayment({ transaction, foreign, suspended, postingIds }: Difference): boolean {
  if (!transaction || (transaction.checkout_ref ?? transaction.payment_ref) === null || foreign) return false;
  const untouched =
    transaction.kind === 'payment' && transaction.amount_settled_at === null && postingIds.length === 0;
  return untouched || suspended;
}

/**
 * Whether the payment is that of a sale, by its checkout or its own reference: refunding it would return what the sale was paid
 * with. A part of a payment in parts always is, also one that the sale does not know yet; so is a payment that names a sale which
 * knows none.
 */
export async function isPaymentOfSale(
  ctx: Ctx,
  { id, provider_account_id, checkout_ref, payment_ref, sale_id }: TransactionRow,
): Promise<boolean> {
  const q = ctx.db.q();
  const sale = await q
    .selectFrom('property_sales as s')
    .select('s.id')
    .where((where) =>
      where.or([
        where('s.provider_session_id', '=', checkout_ref),
        where('s.provider_payment_id', '=', payment_ref),
        sql<boolean>`exists (select from sale_tranches t where t.sale_id = s.id and t.provider_ref = ${payment_ref})`,
        // A sale that has not heard yet what its payment is called.
        sql<boolean>`(s.id = ${sale_id} and s.provider_payment_id is null)`,
        sql<boolean>`(s.id = ${sale_id} and s.provider = any(${[...partsProviders]}::text[]))`,
      ]),
    )
    .where((where) =>
      where.or([
        where('s.provider_account_id', 'is', null),
        where('s.provider_account_id', '=', provider_account_id),
      ]),
    )
    .executeTakeFirst();
  const other = await q
    .selectFrom('provider_transactions')
    .select('id')
    .where('provider_account_id', '=', provider_account_id)
    .where((where) =>
      where.or([where('checkout_ref', '=', checkout_ref), where('payment_ref', '=', payment_ref)]),
    )
    .where('kind', '=', 'payment')
    .where('id', '<>', id)
    .executeTakeFirst();
  return sale !== undefined || other !== undefined;
}
