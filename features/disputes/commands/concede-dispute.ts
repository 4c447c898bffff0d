import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import { isUuid } from '#platform/uuid.ts';
import { disputeLimits } from '../limits.ts';
import type { DisputeResult } from '../model.ts';
import { lockDispute, refusalToAnswer } from '../record-answer.ts';
import { mayDecideDisputes } from '../rules.ts';

/**
 * Leaves a dispute unanswered, because the payer is right: contesting it would cost a fee. Needs a reason, at most 2,000
 * characters.
 * @throws Unauthenticated; Forbidden for everyone but administrators; ProofRequired; NotFound; TooManyRequests
 */
export async function concedeDispute(
  ctx: Ctx,
  input: { disputeId: string; reason: string },
): Promise<DisputeResult> {
  const user = authorizedUser(ctx, mayDecideDisputes);
  requireFreshProof(ctx);
  const { disputeId } = input;
  if (!isUuid(disputeId)) throw new NotFound();
  await takeTokens(ctx, disputeLimits.decide, user.id);
  const reason = cutText(input.reason.trim(), REASON_MAX_LENGTH);
  return ctx.db.tx(async (): Promise<DisputeResult> => {
    const dispute = await lockDispute(ctx, disputeId);
    if (!dispute) throw new NotFound();
    const refusal = await refusalToAnswer(ctx, dispute);
    if (refusal) return { ok: false, reason: refusal };
    if (reason === '') return { ok: false, reason: 'no_reason' };
    await ctx.db
      .q()
      .insertInto('dispute_evidence')
      .values({
        dispute_id: disputeId,
        dispute_kind: dispute.kind,
        state: 'conceded',
        reason,
        requested_by: user.id,
        created_at: ctx.now(),
      })
      .execute();
    await audit(ctx, {
      action: 'dispute.concede',
      entity: 'dispute',
      entityId: disputeId,
      after: { reason, saleId: dispute.sale_id },
    });
    return { ok: true };
  });
}
