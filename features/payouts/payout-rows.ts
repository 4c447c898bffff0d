import { type Selectable, sql } from 'kysely';
import type { PayoutItem, PayoutSource, PayoutsPort } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { PayoutAttempt } from './model.ts';
import type { BookedPayout } from './plan-payout.ts';

export type PayoutRow = Selectable<DB['payouts']>;

export const payoutRow = (ctx: Ctx, payoutId: string): Promise<PayoutRow | undefined> =>
  ctx.db.q().selectFrom('payouts').selectAll().where('id', '=', payoutId).executeTakeFirst();

/** The payout, locked until the end of the current transaction; its sale has to be locked before. */
export const lockPayout = (ctx: Ctx, payoutId: string): Promise<PayoutRow | undefined> =>
  ctx.db.q().selectFrom('payouts').selectAll().where('id', '=', payoutId).forUpdate().executeTakeFirst();

export const payoutAttempt = (row: PayoutRow): PayoutAttempt => ({
  id: row.id,
  saleId: row.sale_id,
  attempt: row.attempt,
  status: row.status,
  amountCents: row.amount_cents,
  nettedCents: row.netted_cents,
  paidCents: row.paid_cents - row.returned_cents - row.reversed_cents,
  feeCents: row.fee_cents,
  failure: row.failure_reason,
  arrivesAt: row.arrives_at?.toISOString() ?? null,
});

/** A payout with its items and what was taken back of it, for `planPayout`. */
export async function bookedPayout(ctx: Ctx, row: PayoutRow): Promise<BookedPayout> {
  const { rows } = await sql<{ items: PayoutItem[]; taking: number }>`select
    (select coalesce(jsonb_agg(jsonb_build_object('ref', provider_ref, 'amountCents', amount_cents,
        'returnedCents', returned_cents, 'status', status, 'failure', failure) order by provider_ref), '[]')
      from payout_items where payout_id = ${row.id}) as items,
    (select coalesce(sum(amount_cents), 0)::bigint from payout_reversals
      where payout_id = ${row.id} and status = 'pending') as taking`.execute(ctx.db.q());
  const { items = [], taking = 0 } = rows[0] ?? {};
  return {
    attempt: row.attempt,
    status: row.status,
    amountCents: row.amount_cents,
    paidCents: row.paid_cents,
    returnedCents: row.returned_cents,
    takenBackCents: row.reversed_cents + Number(taking),
    feeCents: row.fee_cents,
    items,
  };
}

/** Payments that fund a payout, as they were recorded with it. */
export const sourcesOf = (row: PayoutRow): PayoutSource[] => row.sources as unknown as PayoutSource[];

/**
 * The provider of a payout, bound to the mode and account that it was started with; null for one by hand or of nothing.
 * @throws PaymentError `unavailable` without keys, and with keys of the other mode; each call, with keys of another account
 */
export async function portOfPayout(
  ctx: CtxWith<'payouts'>,
  { provider, provider_account_id, livemode }: PayoutRow,
): Promise<PayoutsPort | null> {
  if (provider === null || provider_account_id === null) return null;
  const { account_ref } = await ctx.db
    .q()
    .selectFrom('provider_accounts')
    .select('account_ref')
    .where('id', '=', provider_account_id)
    .executeTakeFirstOrThrow();
  return ctx.payouts.of(provider, { livemode, account: account_ref });
}
