import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { BreakKind, BreakResolution } from './model.ts';
import { breakKinds } from './rules.ts';
import type { BreakDetail, BreakLine } from './views.ts';

/** Breaks with the account that they are about, to be filtered. */
export const breakRows = (ctx: Ctx) =>
  ctx.db
    .q()
    .selectFrom('breaks as b')
    .leftJoin('provider_accounts as a', 'a.id', 'b.provider_account_id')
    .selectAll('b')
    .select(['a.provider', 'a.livemode']);

type BreakRead = Awaited<ReturnType<ReturnType<typeof breakRows>['executeTakeFirstOrThrow']>>;

/** A break as the list shows it. */
export function lineFrom(row: BreakRead): BreakLine {
  const kind = row.kind as BreakKind;
  return {
    id: row.id,
    kind,
    title: breakKinds[kind].title,
    state: row.state,
    saleId: row.sale_id,
    provider: row.provider,
    livemode: row.livemode,
    expectedCents: row.expected_cents,
    actualCents: row.actual_cents,
    detail: row.detail,
    createdAt: row.created_at.toISOString(),
    resolution: row.resolution as BreakResolution | null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  };
}

/**
 * One break with its evidence.
 * @throws NotFound
 */
export async function readBreak(ctx: Ctx, breakId: string): Promise<BreakDetail> {
  const row = isUuid(breakId)
    ? await breakRows(ctx)
        .leftJoin('users as resolver', 'resolver.id', 'b.resolved_by')
        .leftJoin('users as approver', 'approver.id', 'b.approved_by')
        .select(['resolver.name as resolver_name', 'approver.name as approver_name'])
        .where('b.id', '=', breakId)
        .executeTakeFirst()
    : undefined;
  if (!row) throw new NotFound('Break not found');
  const q = ctx.db.q();
  const [transaction, postings, approvals, refunds] = await Promise.all([
    q
      .selectFrom('provider_transactions')
      .selectAll()
      .where('id', '=', row.provider_transaction_id)
      .executeTakeFirst(),
    row.posting_ids.length === 0
      ? []
      : q
          .selectFrom('ledger_postings as p')
          .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
          .select(['p.id', 'p.amount_cents', 'e.memo', 'e.created_at'])
          .where('p.id', 'in', row.posting_ids)
          .orderBy('p.id')
          .execute(),
    q
      .selectFrom('break_approvals as p')
      .innerJoin('users as asker', 'asker.id', 'p.requested_by')
      .leftJoin('users as decider', 'decider.id', 'p.decided_by')
      .selectAll('p')
      .select(['asker.name as asker_name', 'decider.name as decider_name'])
      .where('p.break_id', '=', breakId)
      .orderBy('p.requested_at')
      .execute(),
    q.selectFrom('break_refunds').selectAll().where('break_id', '=', breakId).orderBy('created_at').execute(),
  ]);
  return {
    ...lineFrom(row),
    evidence: row.evidence,
    transaction: transaction
      ? {
          id: transaction.id,
          ref: transaction.ref,
          kind: transaction.kind,
          amountCents: transaction.amount_cents,
          feeCents: transaction.fee_cents,
          currency: transaction.currency,
          checkoutRef: transaction.checkout_ref,
          paymentRef: transaction.payment_ref,
          objectRef: transaction.object_ref,
          bookedAt: transaction.booked_at.toISOString(),
        }
      : null,
    postings: postings.map(({ id, amount_cents, memo, created_at }) => ({
      id,
      cents: amount_cents,
      memo,
      at: created_at.toISOString(),
    })),
    note: row.note,
    resolvedBy: row.resolver_name,
    approvedBy: row.approver_name,
    approvals: approvals.map((approval) => ({
      amountCents: approval.amount_cents,
      account: approval.account,
      reason: approval.reason,
      requestedBy: approval.asker_name,
      requestedAt: approval.requested_at.toISOString(),
      decision: approval.decision,
      decidedBy: approval.decider_name,
    })),
    refunds: refunds.map((refund) => ({
      status: refund.status,
      amountCents: refund.amount_cents,
      failure: refund.failure_reason,
      createdAt: refund.created_at.toISOString(),
    })),
  };
}
