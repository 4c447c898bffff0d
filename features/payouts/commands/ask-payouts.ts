import { sql } from 'kysely';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import { retryPayoutAskAt } from '../ask-times.ts';
import { mayCarryOutPayouts } from '../rules.ts';
import { startPayout } from './start-payout.ts';
import { syncPayout } from './sync-payout.ts';

/** Payouts looked at in one pass. */
const BATCH = 200;
/** A payout claimed by a process that died is asked about again after this time. */
const CLAIM_MS = HOUR;

/**
 * Asks the providers about payouts whose time has come, so that a message that never came loses nothing (R3), and sends those whose
 * job was lost. Any number of processes may run this at once.
 * @returns whether there may be more
 */
export async function askPayouts(ctx: CtxWith<'payouts'>): Promise<boolean> {
  authorize(ctx, mayCarryOutPayouts);
  const { rows } = await sql<{ id: string }>`
    update payouts set next_ask_at = ${new Date(ctx.now().getTime() + CLAIM_MS)}
    where id in (select id from payouts where next_ask_at <= ${ctx.now()}
      order by next_ask_at, id limit ${BATCH} for update skip locked)
    returning id`.execute(ctx.db.q());
  for (const { id } of rows) await askPayout(ctx, id);
  return rows.length === BATCH;
}

async function askPayout(ctx: CtxWith<'payouts'>, payoutId: string): Promise<void> {
  try {
    await syncPayout(ctx, { payoutId });
  } catch (error) {
    // Whatever is wrong with one payout must not keep those behind it from being asked about.
    if (error instanceof PaymentError)
      ctx.log.warn({ err: error, payout: payoutId }, 'the provider gave no answer about a payout');
    else ctx.log.error({ err: error, payout: payoutId }, 'a payout could not be asked about');
    const { ask_failures } = await ctx.db
      .q()
      .updateTable('payouts')
      .set({ ask_failures: sql<number>`ask_failures + 1` })
      .where('id', '=', payoutId)
      .returning('ask_failures')
      .executeTakeFirstOrThrow();
    await ctx.db
      .q()
      .updateTable('payouts')
      .set({ next_ask_at: retryPayoutAskAt(ask_failures, ctx.now()) })
      .where('id', '=', payoutId)
      .execute();
  }
}

/**
 * Completes payouts of which there is nothing to send, so that they wait on no list: the whole payment went back to the buyer, or the
 * seller's share is nothing, as where fees have used it up. One that is held, as by another chargeback, or that fails, is left for later and
 * keeps none of the others.
 */
export async function completeEmptyPayouts(ctx: CtxWith<'payments' | 'payouts'>): Promise<void> {
  authorize(ctx, mayCarryOutPayouts);
  let sales = await emptyPayouts(ctx, null);
  while (sales.length > 0) {
    for (const saleId of sales) await completeEmpty(ctx, saleId);
    sales = await emptyPayouts(ctx, sales.at(-1) ?? null);
  }
}

async function completeEmpty(ctx: CtxWith<'payments' | 'payouts'>, saleId: string): Promise<void> {
  try {
    await startPayout(ctx, { saleId, runId: null, expectedCents: 0 });
  } catch (error) {
    ctx.log.error({ err: error, sale: saleId }, 'a payout of nothing could not be completed');
  }
}

async function emptyPayouts(ctx: Ctx, after: string | null): Promise<string[]> {
  const sales = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('payout_status', '=', 'pending')
    .where('escrow_status', '=', 'completed')
    .where(
      sql<boolean>`coalesce((select sum(p.amount_cents) from ledger_entries e join ledger_postings p on p.entry_id = e.id
        where e.sale_id = property_sales.id and p.account = 'seller_payable'), 0) >= 0`,
    )
    .where('frozen_at', 'is', null)
    .$if(after !== null, (rest) => rest.where('id', '>', after))
    .orderBy('id')
    .limit(BATCH)
    .execute();
  return sales.map(({ id }) => id);
}
