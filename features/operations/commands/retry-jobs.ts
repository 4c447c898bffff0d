import { authorize } from '#platform/access.ts';
import { auditAll } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { readDeadLetters, retryDeadLetters } from '#platform/jobs/jobs.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayOperate, type OperationResult } from '../rules.ts';

/** Jobs that are tried again at once. */
const BATCH = 1000;

/**
 * Runs jobs that failed for good again: one by its id, or up to 1,000 of one type. Of two administrators at once, the second finds
 * none.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function retryJobs(
  ctx: Ctx,
  which: { id: string } | { job: string | null },
): Promise<OperationResult> {
  authorize(ctx, mayOperate);
  return ctx.db.tx(async (): Promise<OperationResult> => {
    const letters =
      'id' in which
        ? (isUuid(which.id) ? [which.id] : []).map((id) => ({ id, job: null }))
        : await readDeadLetters(ctx, BATCH, { job: which.job });
    const done = [];
    for (const { id, job } of letters) if ((await retryDeadLetters(ctx, [id])) > 0) done.push({ id, job });
    if (done.length === 0) return { ok: false, reason: 'gone' };
    await auditAll(
      ctx,
      done.map(({ id, job }) => ({
        action: 'job.retry',
        entity: 'job',
        entityId: id,
        ...(job && { after: { job } }),
      })),
    );
    return { ok: true, count: done.length };
  });
}
