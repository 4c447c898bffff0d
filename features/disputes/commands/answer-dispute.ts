import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { disputeLimits } from '../limits.ts';
import type { DisputeResult } from '../model.ts';
import { lockDispute, recordAnswer } from '../record-answer.ts';
import { mayDecideDisputes, STATEMENT_MAX_LENGTH } from '../rules.ts';

/**
 * Answers a dispute now with all that is on record, and with a statement of the administrator, at most 4,000 characters, empty
 * without one. It is sent in the background. A dispute is answered once, and once more when an inquiry becomes a chargeback.
 * @throws Unauthenticated; Forbidden for everyone but administrators; NotFound; TooManyRequests
 */
export async function answerDispute(
  ctx: Ctx,
  { disputeId, statement }: { disputeId: string; statement: string },
): Promise<DisputeResult> {
  const user = authorizedUser(ctx, mayDecideDisputes);
  if (!isUuid(disputeId)) throw new NotFound();
  await takeTokens(ctx, disputeLimits.decide, user.id);
  return ctx.db.tx(async () => {
    const dispute = await lockDispute(ctx, disputeId);
    if (!dispute) throw new NotFound();
    return recordAnswer(ctx, dispute, cutText(statement.trim(), STATEMENT_MAX_LENGTH));
  });
}
