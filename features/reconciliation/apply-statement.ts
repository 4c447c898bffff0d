import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { ReachedAccount } from './accounts.ts';
import { closeBreak } from './close-break.ts';
import { type Finding, reconcileStatement } from './findings.ts';
import { followBookings } from './follow-bookings.ts';
import { loadStatement, type StoredBooking } from './load-statement.ts';
import { reportFinding, type Subject } from './report-finding.ts';
import { lockAccount, settle } from './settle.ts';

/** What one pass over an account's statement did. */
export interface Applied {
  /** transactions of which the last part was settled, and their amounts, whichever way, in cents */
  matched: number;
  matchedCents: number;
  findings: (Finding & Subject)[];
  opened: number;
  closed: number;
}

/**
 * Matches what is open on one account, in one transaction: records what agrees, posts what needs no decision, ends breaks that
 * have settled by themselves. With `report` it opens a break for every finding.
 */
export async function applyStatement(
  ctx: Ctx,
  { id, port, paysBy }: Pick<ReachedAccount, 'id' | 'port' | 'paysBy'>,
  { report }: { report: boolean },
): Promise<Applied> {
  return ctx.db.tx(async () => {
    await lockAccount(ctx, id);
    const statement = await loadStatement(ctx, id, { method: port.method, paysBy });
    const { matches, toPost, bookings, findings } = reconcileStatement(statement);
    await settle(
      ctx,
      matches.map(({ postingId, bookingId, parts }) => ({ postingId, transactionId: bookingId, parts })),
    );
    await followBookings(ctx, id, toPost);
    const open = new Set(bookings.map((booking) => booking.id));
    const settled = statement.bookings.filter((booking) => !open.has(booking.id));
    const found = findings.map((finding) => ({ ...finding, ...subjectOf(finding, statement.bookings) }));
    let opened = 0;
    if (report) for (const finding of found) if (await reportFinding(ctx, id, finding)) opened += 1;
    return {
      matched: settled.length,
      matchedCents: settled.reduce((sum, { amountCents }) => sum + Math.abs(amountCents), 0),
      findings: found,
      opened,
      closed: await closeSettled(ctx, id),
    };
  });
}

function subjectOf(finding: Finding, bookings: readonly StoredBooking[]): Subject {
  const booking = bookings.find(({ id }) => id === finding.bookingId);
  if (!booking) return { subject: `posting:${finding.postingIds.join('+')}`, facts: {} };
  const { ref, kind, amountCents, feeCents, currency, refs, objectRef, at } = booking;
  return {
    subject: finding.kind === 'unexpected_refund' ? (objectRef ?? ref) : ref,
    facts: { ref, kind, amountCents, feeCents, currency, refs, objectRef, bookedAt: at.toISOString() },
  };
}

/** Ends the breaks about transactions and postings that have been matched since, as when a message arrived very late. */
async function closeSettled(ctx: Ctx, accountId: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select b.id from breaks b left join provider_transactions t on t.id = b.provider_transaction_id
    where b.provider_account_id = ${accountId} and b.state <> 'resolved' and b.kind <> 'transaction_restated'
      -- Once its sale has followed, an administrator decides what the refund was for.
      and (b.kind <> 'unexpected_refund' or b.sale_id is null)
      and case when t.id is not null then t.amount_settled_at is not null and t.fee_settled_at is not null
        else b.posting_ids <> '{}' and not exists (select from unnest(b.posting_ids) as posting
          where not exists (select from clearing_matches m where m.posting_id = posting)) end
      and not exists (select from break_refunds r where r.break_id = b.id)`.execute(ctx.db.q());
  for (const { id } of rows)
    await closeBreak(ctx, { id, resolution: 'matched', note: 'Books and provider agree.', by: null });
  return rows.length;
}
