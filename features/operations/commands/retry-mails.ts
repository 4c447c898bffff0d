import { authorize } from '#platform/access.ts';
import { auditAll } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { readDeadMails, retryMail } from '#platform/outbox/outbox.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayOperate, type OperationResult } from '../rules.ts';

/** Emails that are sent again at once. */
const BATCH = 1000;

/**
 * Sends emails that were given up again: one by its id, or up to 1,000. Of two administrators at once, the second finds none.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function retryMails(ctx: Ctx, which: { id: string } | 'all'): Promise<OperationResult> {
  authorize(ctx, mayOperate);
  return ctx.db.tx(async (): Promise<OperationResult> => {
    const ids =
      which === 'all'
        ? // However many of erased accounts there are, they take no place from those that can be sent.
          (await readDeadMails(ctx, BATCH, { withErased: false })).map(({ id }) => id)
        : [which.id].filter((id) => isUuid(id));
    const done: string[] = [];
    for (const id of ids) if (await retryMail(ctx, id)) done.push(id);
    if (done.length === 0) return { ok: false, reason: 'gone' };
    await auditAll(
      ctx,
      done.map((entityId) => ({ action: 'mail.retry', entity: 'mail', entityId })),
    );
    return { ok: true, count: done.length };
  });
}
