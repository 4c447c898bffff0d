import { type RawBuilder, sql } from 'kysely';
import { partsProviders, providersOfAccount } from '#gateways/payments/providers.ts';
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
export async function isPaymentOfSale(ctx: Ctx, transaction: TransactionRow): Promise<boolean> {
  const { provider } = await ctx.db
    .q()
    .selectFrom('provider_accounts')
    .select('provider')
    .where('id', '=', transaction.provider_account_id)
    .executeTakeFirstOrThrow();
  const sale = await salesPaidBy(transaction, providersOfAccount(provider)).execute(ctx.db.q());
  if (sale.rows.length > 0) return true;
  const other = await otherBookingsOf(transaction).execute(ctx.db.q());
  return other.rows.length > 0;
}

/**
 * The sales that a payment may be of, among those paid by these providers. Each way to name one is asked by itself, since together they
 * would follow no index.
 */
export const salesPaidBy = (
  { provider_account_id, checkout_ref, payment_ref, sale_id }: TransactionRow,
  providers: readonly string[],
): RawBuilder<{ id: string }> => sql`
  select s.id
  from (
      select id, provider_account_id from property_sales
        where provider = any(${[...providers]}::text[]) and provider_session_id = ${checkout_ref}
      union all
      select id, provider_account_id from property_sales
        where provider = any(${[...providers]}::text[]) and provider_payment_id = ${payment_ref}
      union all
      select p.id, p.provider_account_id from sale_tranches t join property_sales p on p.id = t.sale_id
        where t.provider_ref = ${payment_ref}
      union all
      -- One that has not heard yet what its payment is called, or that is paid in parts.
      select id, provider_account_id from property_sales
        where id = ${sale_id} and (provider_payment_id is null or provider = any(${[...partsProviders]}::text[]))
    ) s
  where s.provider_account_id is null or s.provider_account_id = ${provider_account_id}
  limit 1`;

/** What else its account has booked of the same payment. */
export const otherBookingsOf = ({
  id,
  provider_account_id,
  checkout_ref,
  payment_ref,
}: TransactionRow): RawBuilder<{ id: string }> => sql`
  select id from provider_transactions
    where provider_account_id = ${provider_account_id} and kind = 'payment' and checkout_ref = ${checkout_ref} and id <> ${id}
  union all
  select id from provider_transactions
    where provider_account_id = ${provider_account_id} and kind = 'payment' and payment_ref = ${payment_ref} and id <> ${id}
  limit 1`;
