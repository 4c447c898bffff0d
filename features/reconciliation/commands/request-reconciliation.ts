import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { mayEndBreaks } from '../rules.ts';
import { reconcileJob } from '../run-job.ts';

/**
 * Has every provider account reconciled now, in the background, instead of at the next hour that is due.
 * @returns false when a run that was asked for before has not begun yet
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function requestReconciliation(ctx: Ctx): Promise<boolean> {
  authorize(ctx, mayEndBreaks);
  return ctx.db.tx(async () => {
    if (!(await enqueue(ctx, reconcileJob, {}, { key: 'requested' }))) return false;
    await audit(ctx, { action: 'reconciliation.request', entity: 'reconciliation', entityId: 'all' });
    return true;
  });
}
