import { authorize } from '#platform/access.ts';
import { auditAll } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { dropDeadLetters } from '#platform/jobs/jobs.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayOperate, type OperationResult, reasonFrom } from '../rules.ts';

/**
 * Removes a job that failed for good, with a reason.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function dropJob(ctx: Ctx, input: { id: string; reason: string }): Promise<OperationResult> {
  authorize(ctx, mayOperate);
  const reason = reasonFrom(input.reason);
  if (reason === '') return { ok: false, reason: 'no_reason' };
  if (!isUuid(input.id)) return { ok: false, reason: 'gone' };
  return ctx.db.tx(async (): Promise<OperationResult> => {
    const dropped = await dropDeadLetters(ctx, [input.id]);
    if (dropped.length === 0) return { ok: false, reason: 'gone' };
    await auditAll(
      ctx,
      dropped.map(({ id, job, data, reason: failure }) => ({
        action: 'job.drop',
        entity: 'job',
        entityId: id,
        before: { job, data, failure },
        after: { reason },
      })),
    );
    return { ok: true, count: dropped.length };
  });
}
