import type { Ctx } from '#platform/context.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { breakRefundJob } from './refund-job.ts';

/**
 * Requests refunds of breaks once more whose job has given up or was dropped: until then no other command can end their breaks. All of
 * them each time, since those whose provider cannot be reached, or refuses our key, stay among them and would keep the later ones out.
 */
export async function requeueBreakRefunds(ctx: Ctx): Promise<void> {
  const lost = await ctx.db
    .q()
    .selectFrom('break_refunds')
    .select('id')
    .where('status', '=', 'pending')
    .where('created_at', '<', new Date(ctx.now().getTime() - DAY - HOUR))
    .orderBy('created_at')
    .execute();
  for (const { id } of lost) await enqueue(ctx, breakRefundJob, { refundId: id }, { key: id });
}
