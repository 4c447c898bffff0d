import { sql } from 'kysely';
import { visibleListing } from '#features/listings/reads.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { anyone, authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { uuidOf } from '#platform/uuid-of.ts';
import { reportLimits } from '../limits.ts';
import type { ReportReason, ReportResult } from '../model.ts';
import { readReport, reasonLabels } from '../rules.ts';

interface ReportInput {
  propertyId: string;
  reason: string;
  details: string;
  /** of the form, so that sending it twice is one report; with something else in it, it is another one */
  key: string;
}

/** How many of the reports since the last decision the task quotes. */
const QUOTED = 10;

/**
 * Reports a listing to the administrators, by anyone who sees its page, signed in or not: of a visitor nothing is stored, so that
 * reporting a scam asks for no account. Opens a task with all reports since the last one was closed, which is mailed once.
 * @throws NotFound for a listing that the actor does not see; TooManyRequests
 */
export async function reportListing(ctx: Ctx, input: ReportInput): Promise<ReportResult> {
  authorize(ctx, anyone);
  const listing = await visibleListing(ctx, input.propertyId);
  const read = readReport(input);
  if (!read.ok) return read;
  const user = ctx.actor.kind === 'user' ? ctx.actor : null;
  if (user) await takeTokens(ctx, reportLimits.account, user.id);
  else {
    await takeTokens(ctx, reportLimits.address, networkOf(ctx.ip));
    await takeTokens(ctx, reportLimits.visitors, 'all');
  }
  await ctx.db.tx(async () => {
    // One after the other for each listing: a report that cannot see another one yet would write a task without it.
    await takeLock(ctx, `listing reports ${listing.id}`);
    const added = await ctx.db
      .q()
      .insertInto('listing_reports')
      .values({
        property_id: listing.id,
        reported_by: user?.id ?? null,
        reason: read.reason,
        details: read.details,
        key: uuidOf(
          JSON.stringify([
            input.key || ctx.requestId,
            user?.id ?? null,
            listing.id,
            read.reason,
            read.details,
          ]),
        ),
        created_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) return;
    await audit(ctx, {
      action: 'listing.report',
      entity: 'property',
      entityId: listing.id,
      after: { report: added.id, reason: read.reason },
    });
    const system = asSystem(ctx, 'listing-reports');
    const detail = await openReports(ctx, listing.id);
    await openTask(system, { kind: 'listing_reported', subjectId: listing.id, detail });
  });
  return { ok: true };
}

/** The reports of a listing since its last task was closed, in words, newest first. */
async function openReports(ctx: Ctx, propertyId: string): Promise<string> {
  const { rows } = await sql<{ reason: ReportReason; details: string; name: string | null; total: number }>`
    select r.reason, r.details, u.name, count(*) over ()::integer as total
    from listing_reports r left join users u on u.id = r.reported_by
    where r.property_id = ${propertyId} and r.created_at > coalesce((select max(t.closed_at) from admin_tasks t
      where t.kind = 'listing_reported' and t.subject_id = ${propertyId}), '-infinity')
    order by r.created_at desc, r.id limit ${QUOTED}`.execute(ctx.db.q());
  const total = rows[0]?.total ?? 0;
  const quotes = rows.map(({ reason, details, name }) =>
    [`${reasonLabels[reason]} (${name ?? 'a visitor'})`, details].filter(Boolean).join(': '),
  );
  return [`${total} ${total === 1 ? 'report' : 'reports'}.`, ...quotes].join('\n');
}
