import { sql } from 'kysely';
import { takeBackJob } from '#features/seller-shares/take-back-job.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { mayCarryOutPayouts } from '../rules.ts';

/** A reversal that still waits after this time may have lost its job. */
const WAITS_MS = HOUR;

/**
 * Asks again for what is being taken back from sellers for longer than an hour: its job may have failed for good while the provider was
 * away, and until the reversal has ended nothing of it is set off against later payouts.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function resumeTakeBacks(ctx: Ctx): Promise<void> {
  authorize(ctx, mayCarryOutPayouts);
  const { rows } = await sql<{ sale_id: string }>`
    select distinct sale_id from payout_reversals
    where status = 'pending' and created_at < ${new Date(ctx.now().getTime() - WAITS_MS)}`.execute(
    ctx.db.q(),
  );
  for (const { sale_id: saleId } of rows) await enqueue(ctx, takeBackJob, { saleId }, { key: saleId });
}
