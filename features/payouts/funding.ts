import { sql } from 'kysely';
import type { SaleRow } from '#features/sales/sale-row.ts';
import { accountProviderOf } from '#gateways/payments/providers.ts';
import type { PayoutSource } from '#gateways/payouts/port.ts';
import type { Ctx } from '#platform/context.ts';
import { leftOf } from './draw-on.ts';

interface FundedFrom {
  /** the account that pays */
  accountId: string;
  accountProvider: string;
}

/**
 * The payments of a sale that can fund its payout, the oldest first, with what is left of each: nothing where the money is in
 * another account. Cents.
 */
export async function fundingSources(
  ctx: Ctx,
  sale: SaleRow,
  { accountId, accountProvider }: FundedFrom,
): Promise<PayoutSource[]> {
  if (sale.provider_account_id !== accountId || accountProviderOf(sale.provider) !== accountProvider)
    return [];
  const q = ctx.db.q();
  const tranches = await q
    .selectFrom('sale_tranches')
    .select(['provider_ref', 'amount_cents'])
    .where('sale_id', '=', sale.id)
    .orderBy('received_at')
    .orderBy('provider_ref')
    .execute();
  const { sent, refunded } = await q
    .selectNoFrom([
      sql<number>`(select coalesce(sum(paid_cents - returned_cents - reversed_cents), 0)::bigint from payouts
        where sale_id = ${sale.id} and provider_account_id = ${accountId})`.as('sent'),
      sql<number>`(select coalesce(sum(amount_cents), 0)::bigint from refunds
        where sale_id = ${sale.id} and status <> 'failed')`.as('refunded'),
    ])
    .executeTakeFirstOrThrow();
  const payments =
    tranches.length > 0
      ? tranches.map((one) => ({ paymentRef: one.provider_ref, amountCents: one.amount_cents }))
      : sale.provider_payment_id === null
        ? []
        : [{ paymentRef: sale.provider_payment_id, amountCents: sale.total_cents }];
  return leftOf(payments, Number(sent) + Number(refunded));
}
