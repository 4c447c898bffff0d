import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { dropMail } from '#platform/outbox/outbox.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayOperate, type OperationResult, reasonFrom } from '../rules.ts';

/**
 * Gives up an email that could not be sent, with a reason; whom it was to stays out of the audit log.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function dropUnsentMail(
  ctx: Ctx,
  input: { id: string; reason: string },
): Promise<OperationResult> {
  authorize(ctx, mayOperate);
  const reason = reasonFrom(input.reason);
  if (reason === '') return { ok: false, reason: 'no_reason' };
  return ctx.db.tx(async (): Promise<OperationResult> => {
    if (!isUuid(input.id) || !(await dropMail(ctx, input.id))) return { ok: false, reason: 'gone' };
    await audit(ctx, { action: 'mail.drop', entity: 'mail', entityId: input.id, after: { reason } });
    return { ok: true, count: 1 };
  });
}
