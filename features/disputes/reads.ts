import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { composeEvidence } from './compose-evidence.ts';
import { readDisputedSale } from './read-disputed-sale.ts';
import { mayDecideDisputes } from './rules.ts';
import { type DisputeView, type EvidenceText, evidenceInWords } from './views.ts';

/**
 * The disputes of a sale's payment, the latest first, each with its answer.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function saleDisputes(ctx: Ctx, { saleId }: { saleId: string }): Promise<DisputeView[]> {
  authorize(ctx, mayDecideDisputes);
  if (!isUuid(saleId)) return [];
  const rows = await ctx.db
    .q()
    .selectFrom('disputes as d')
    .leftJoin('dispute_evidence as e', (join) =>
      join.onRef('e.dispute_id', '=', 'd.id').onRef('e.dispute_kind', '=', 'd.kind'),
    )
    .leftJoin('users as u', 'u.id', 'e.requested_by')
    .select(['d.id', 'd.kind', 'd.reason', 'd.status', 'd.amount_cents', 'd.fee_cents', 'd.created_at'])
    .select(['d.closed_at', 'd.evidence_due_at', 'e.state', 'e.reason as why', 'e.texts', 'u.name as by'])
    .select(['e.created_at as answered_at', 'e.submitted_at'])
    .where('d.sale_id', '=', saleId)
    .where('d.kind', '<>', 'problem')
    .orderBy('d.created_at', 'desc')
    .orderBy('d.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind === 'inquiry' ? 'inquiry' : 'chargeback',
    reason: row.reason,
    status: row.status,
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    openedAt: row.created_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
    dueAt: row.evidence_due_at?.toISOString() ?? null,
    answer:
      row.state && row.answered_at
        ? {
            state: row.state,
            reason: row.why,
            by: row.by,
            at: (row.submitted_at ?? row.answered_at).toISOString(),
            texts: evidenceInWords((row.texts ?? {}) as Record<string, unknown>),
          }
        : null,
    open:
      row.status === 'open' &&
      row.state === null &&
      row.evidence_due_at !== null &&
      row.evidence_due_at > ctx.now(),
  }));
}

/**
 * What an answer to a dispute would send now, before the administrator's own statement.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function evidencePreview(
  ctx: Ctx,
  { disputeId }: { disputeId: string },
): Promise<EvidenceText[]> {
  authorize(ctx, mayDecideDisputes);
  if (!isUuid(disputeId)) throw new NotFound();
  const sale = await ctx.db
    .q()
    .selectFrom('disputes as d')
    .innerJoin('property_sales as s', 's.id', 'd.sale_id')
    .selectAll('s')
    .where('d.id', '=', disputeId)
    .where('d.kind', '<>', 'problem')
    .executeTakeFirst();
  if (!sale) throw new NotFound();
  return evidenceInWords(composeEvidence(await readDisputedSale(ctx, sale), ''));
}
