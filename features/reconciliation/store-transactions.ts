import { sql } from 'kysely';
import type { ProviderTransaction } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';

/** A transaction that a provider states differently than before. */
export interface Restated {
  id: string;
  ref: string;
  saleId: string | null;
  /** change of our balance after fees, in cents: as it was reported last, else as it was stored */
  beforeCents: number;
  nowCents: number;
  /** how many times it has been, with this one */
  change: number;
}

export interface Stored {
  count: number;
  /** amounts of the new ones, whichever way, in cents */
  cents: number;
  restated: Restated[];
}

/**
 * Stores what a provider says it booked; what is known already is left as it is. Nothing is unsettled about a part that changes
 * nothing.
 */
export async function storeTransactions(
  ctx: Ctx,
  accountId: string,
  transactions: readonly ProviderTransaction[],
): Promise<Stored> {
  const once = [...new Map(transactions.map((transaction) => [transaction.ref, transaction])).values()];
  if (once.length === 0) return { count: 0, cents: 0, restated: [] };
  const now = ctx.now();
  const stored = await ctx.db
    .q()
    .insertInto('provider_transactions')
    .values(
      once.map((one) => ({
        provider_account_id: accountId,
        ref: one.ref,
        kind: one.kind,
        amount_cents: one.amountCents,
        fee_cents: one.feeCents,
        currency: one.currency,
        checkout_ref: one.checkoutRef,
        payment_ref: one.paymentRef,
        object_ref: one.objectRef,
        stated_sale: one.saleId,
        booked_at: one.at,
        stored_at: now,
        amount_settled_at: one.amountCents === 0 ? now : null,
        fee_settled_at: one.feeCents === 0 ? now : null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['provider_account_id', 'ref']).doNothing())
    .returning(['ref', 'amount_cents'])
    .execute();
  const isNew = new Set(stored.map(({ ref }) => ref));
  return {
    count: stored.length,
    cents: stored.reduce((sum, { amount_cents }) => sum + Math.abs(amount_cents), 0),
    restated: await restatedAmong(
      ctx,
      accountId,
      once.filter(({ ref }) => !isNew.has(ref)),
    ),
  };
}

async function restatedAmong(
  ctx: Ctx,
  accountId: string,
  known: readonly ProviderTransaction[],
): Promise<Restated[]> {
  if (known.length === 0) return [];
  const rows = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .select(['id', 'ref', 'sale_id', 'amount_cents', 'fee_cents', 'currency'])
    .where('provider_account_id', '=', accountId)
    .where('ref', '=', sql<string>`any(${known.map(({ ref }) => ref)}::text[])`)
    .execute();
  const before = new Map(rows.map((row) => [row.ref, row]));
  const reported = await lastReported(ctx, accountId);
  return known.flatMap(({ ref, amountCents, feeCents, currency }) => {
    const row = before.get(ref);
    if (!row) return [];
    const { id, sale_id: saleId } = row;
    const nowCents = amountCents - feeCents;
    const { cents: reportedCents, times = 0 } = reported.get(id) ?? {};
    const isSame =
      reportedCents === undefined
        ? row.amount_cents === amountCents && row.fee_cents === feeCents && row.currency === currency
        : reportedCents === nowCents;
    if (isSame) return [];
    const beforeCents = reportedCents ?? row.amount_cents - row.fee_cents;
    return { id, ref, saleId, beforeCents, nowCents, change: times + 1 };
  });
}

interface Report {
  cents: number;
  times: number;
}

/**
 * What transactions were last reported to be stated as, whatever became of that, in cents after fees, and how many times they were
 * reported. Every run is told of the same change for days: dealt with once, it would be posted again; and one that is taken back is a change
 * as well.
 */
async function lastReported(ctx: Ctx, accountId: string): Promise<Map<string, Report>> {
  const { rows } = await sql<{ id: string } & Report>`
    select distinct on (evidence ->> 'transaction') evidence ->> 'transaction' as id, actual_cents as cents,
      count(*) over (partition by evidence ->> 'transaction') as times
    from breaks where kind = 'transaction_restated' and provider_account_id = ${accountId}
    order by evidence ->> 'transaction', created_at desc`.execute(ctx.db.q());
  return new Map(rows.map(({ id, cents, times }) => [id, { cents: Number(cents), times: Number(times) }]));
}
