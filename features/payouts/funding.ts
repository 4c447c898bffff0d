import { sql } from 'kysely';
import type { SaleRow } from '#features/sales/sale-row.ts';
import { accountProviderOf } from '#gateways/payments/providers.ts';
import type { PayoutSource } from '#gateways/payouts/port.ts';
import type { Ctx } from '#platform/context.ts';

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

/** What is left of payments after so many cents were drawn on them, the oldest first. */
export function leftOf(payments: readonly PayoutSource[], drawnCents: number): PayoutSource[] {
  let drawn = drawnCents;
  const left: PayoutSource[] = [];
  for (const { paymentRef, amountCents } of payments) {
    const taken = Math.min(drawn, amountCents);
    drawn -= taken;
    if (amountCents > taken) left.push({ paymentRef, amountCents: amountCents - taken });
  }
  return left;
}

/** What a payout draws on each of its sources, the oldest first; what they do not cover comes out of the balance. Cents. */
export function drawOn(sources: readonly PayoutSource[], amountCents: number): PayoutSource[] {
  let open = amountCents;
  const drawn: PayoutSource[] = [];
  for (const { paymentRef, amountCents: left } of sources) {
    const cents = Math.min(open, left);
    if (cents > 0) drawn.push({ paymentRef, amountCents: cents });
    open -= cents;
  }
  return drawn;
}
