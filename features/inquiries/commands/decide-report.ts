import { suspendBuyer } from '#features/buyers/commands/suspend-buyer.ts';
import { postNotice } from '#features/notices/commands/post-notice.ts';
import { suspendSeller } from '#features/sellers/commands/set-suspension.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { publish } from '#platform/events/events.ts';
import { visibleText } from '#platform/typed-text.ts';
import { isUuid } from '#platform/uuid.ts';
import { REPORT_LIMIT } from '../model.ts';
import { publishToUser } from '../notify-parties.ts';
import type { DecideReportResult, ReportDecision } from '../oversight-model.ts';
import { conversation } from '../parties.ts';
import { mailReportDecided, mailWarning } from '../report-mails.ts';
import { sellerOfReport } from '../report-queue.ts';
import { mayOversee } from '../rules.ts';

interface DecideReportInput {
  reportId: string;
  decision: ReportDecision;
  /** what the reported person is told; for a report that is closed a note for the record, which may be empty */
  note: string;
}

/**
 * Decides an open report, once: warns the reported person by email and by a notice on their pages, suspends them, or closes it
 * without either. Whoever reported it is told by email that it was decided.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function decideReport(
  ctx: Ctx,
  { reportId, decision, note: typed }: DecideReportInput,
): Promise<DecideReportResult> {
  const administrator = authorizedUser(ctx, mayOversee);
  const note = visibleText(typed).trim();
  if (!note && decision !== 'closed') return { ok: false, reason: 'empty' };
  if (note.length > REPORT_LIMIT) return { ok: false, reason: 'too_long' };
  return ctx.db.tx(async (): Promise<DecideReportResult> => {
    const report = await lockReport(ctx, reportId);
    if (report.resolved_at) return { ok: false, reason: 'decided' };
    const thread = await conversation(ctx, report.inquiry_id);
    const { buyer, property } = thread;
    const byBuyer = report.reported_by === buyer.id;
    const seller = await sellerOfReport(ctx, report.id);
    const [reporter, reported] = byBuyer ? [buyer, seller] : [seller, buyer];
    if (decision === 'suspended') {
      const sellerId = byBuyer ? seller.agentId : await sellerIdOf(ctx, buyer.id);
      const userId = byBuyer ? null : buyer.id;
      if (!(await suspend(ctx, { sellerId, userId }, note))) return { ok: false, reason: 'impossible' };
    }
    await ctx.db
      .q()
      .updateTable('inquiry_reports')
      .set({
        resolved_at: ctx.now(),
        decision,
        decided_by: administrator.id,
        decision_note: note || null,
      })
      .where('id', '=', report.id)
      .execute();
    const subject = { reportId: report.id, address: property.address };
    if (decision === 'warned') {
      await mailWarning(ctx, reported, subject, note);
      if (reported.id !== null) await postNotice(ctx, { userId: reported.id, message: note });
    }
    await audit(ctx, {
      action: 'inquiry.decide_report',
      entity: 'property_inquiry',
      entityId: report.inquiry_id,
      before: { report: 'open' },
      after: { report: decision, about: byBuyer ? 'seller' : 'buyer', ...(note && { note }) },
    });
    await mailReportDecided(ctx, reporter, subject, decision !== 'closed');
    await publish(ctx, {
      audience: 'role:admin',
      type: 'inquiry.report_decided',
      payload: { inquiry: report.inquiry_id },
    });
    await publishToUser(ctx, report.reported_by, 'inquiry.changed', { inquiry: report.inquiry_id });
    return { ok: true, reported: reported.name };
  });
}

/**
 * Suspends a party of a conversation, as the seller or the buyer that they are; one who is suspended already stays so. False for
 * who cannot be suspended: an archived or deleted seller, a closed account, an administrator.
 */
async function suspend(
  ctx: Ctx,
  { sellerId, userId }: { sellerId: string | null; userId: string | null },
  reason: string,
): Promise<boolean> {
  try {
    if (sellerId !== null) {
      await suspendSeller(ctx, { sellerId, reason });
      return true;
    }
    if (userId === null) return false;
    const result = await suspendBuyer(ctx, { buyerId: userId, reason });
    return result.ok || result.reason === 'unchanged';
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

async function sellerIdOf(ctx: Ctx, userId: string): Promise<string | null> {
  const seller = await ctx.db
    .q()
    .selectFrom('agents')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return seller?.id ?? null;
}

/** @throws NotFound */
async function lockReport(ctx: Ctx, reportId: string) {
  const report = isUuid(reportId)
    ? await ctx.db
        .q()
        .selectFrom('inquiry_reports')
        .select(['id', 'inquiry_id', 'reported_by', 'resolved_at'])
        .where('id', '=', reportId)
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!report) throw new NotFound('Report not found');
  return report;
}
