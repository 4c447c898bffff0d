import type { SaleRow } from '#features/sales/sale-row.ts';
import type { PaymentsPort } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';

/**
 * The provider of a sale's payment, bound to the mode and the account that the sale was begun with: with other keys it would
 * not know the payment, which says nothing about it.
 * @returns the account too; null for a sale from before accounts were recorded
 * @throws PaymentError `unavailable` without keys, and with keys of the other mode; each call, with keys of another account
 */
export async function portOfSale(
  ctx: CtxWith<'payments'>,
  { provider, livemode, provider_account_id }: Pick<SaleRow, 'provider' | 'livemode' | 'provider_account_id'>,
): Promise<{ port: PaymentsPort; account: string | null }> {
  const known =
    provider_account_id === null
      ? undefined
      : await ctx.db
          .q()
          .selectFrom('provider_accounts')
          .select('account_ref')
          .where('id', '=', provider_account_id)
          .executeTakeFirst();
  const account = known?.account_ref ?? null;
  return { port: ctx.payments.of(provider, { livemode, account }), account };
}
