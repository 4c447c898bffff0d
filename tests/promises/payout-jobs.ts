import { askPayouts, completeEmptyPayouts } from '#features/payouts/commands/ask-payouts.ts';
import { sendPayout } from '#features/payouts/commands/send-payout.ts';
import { takeBackPayout } from '#features/payouts/commands/take-back-payout.ts';
import { processDuePayouts } from '#gateways/payouts/sandbox/settlement.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';

/**
 * Lets the providers carry out what is due, then runs the background jobs of payouts: sends, asks, takes back. `db` is that of the
 * providers.
 */
export async function runPayoutJobs(ctx: CtxWith<'payouts'>, db: Database): Promise<void> {
  await sendStarted(ctx);
  await processDuePayouts(db, ctx.now());
  while (await askPayouts(ctx));
  await sendStarted(ctx);
  const paid = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('sale_id')
    .distinct()
    .where('paid_cents', '>', 0)
    .orderBy('sale_id')
    .execute();
  for (const { sale_id: saleId } of paid) await takeBackPayout(ctx, { saleId });
  await completeEmptyPayouts(ctx);
}

async function sendStarted(ctx: CtxWith<'payouts'>): Promise<void> {
  const started = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('id')
    .where('status', '=', 'processing')
    .where('provider', 'is not', null)
    .orderBy('created_at')
    .orderBy('idempotency_key')
    .execute();
  for (const { id } of started) await sendPayout(ctx, { payoutId: id });
}
