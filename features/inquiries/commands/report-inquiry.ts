import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { visibleText } from '#platform/typed-text.ts';
import { inquiryLimits } from '../limits.ts';
import { REPORT_LIMIT, type ReportResult } from '../model.ts';
import { ownConversation } from '../parties.ts';

/**
 * Reports a conversation to the administrators, by one of its parties. Has no effect while the same user's earlier
 * report is open. Reasons have 1 to 2,000 characters.
 * @throws Unauthenticated; NotFound for a conversation of others; TooManyRequests (10 an hour)
 */
export async function reportInquiry(
  ctx: Ctx,
  input: { inquiryId: string; reason: string },
): Promise<ReportResult> {
  const { id, user } = await ownConversation(ctx, input.inquiryId);
  const reason = visibleText(input.reason).trim();
  if (!reason) return { ok: false, reason: 'empty' };
  if (reason.length > REPORT_LIMIT) return { ok: false, reason: 'too_long' };
  await takeTokens(ctx, inquiryLimits.report, user.id);
  await ctx.db.tx(async () => {
    const added = await ctx.db
      .q()
      .insertInto('inquiry_reports')
      .values({ inquiry_id: id, reported_by: user.id, reason, created_at: ctx.now() })
      .onConflict((conflict) =>
        conflict.columns(['inquiry_id', 'reported_by']).where('resolved_at', 'is', null).doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    if (!added) return;
    await audit(ctx, { action: 'inquiry.report', entity: 'property_inquiry', entityId: id });
    await publish(ctx, { audience: 'role:admin', type: 'inquiry.reported', payload: { inquiry: id } });
  });
  return { ok: true };
}
