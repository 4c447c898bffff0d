import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { composeEvidence } from './compose-evidence.ts';
import { readDisputedSale } from './read-disputed-sale.ts';
import { mayDecideDisputes } from './rules.ts';
import { type DisputeView, type EvidenceText, evidenceInWords } from './views.ts';

const PAGE_SIZE = 50;

/** An open dispute of a bank. Integer cents; times are ISO, UTC. */
export interface DisputeLine {
  id: string;
  saleId: string;
  address: string;
  kind: 'inquiry' | 'chargeback';
  amountCents: number;
  reason: string;
  openedAt: string;
  /** until when evidence is accepted; null when none is */
  evidenceDueAt: string | null;
  /** how it was answered; null while it was not */
  answer: 'pending' | 'submitted' | 'refused' | 'conceded' | null;
}

/**
 * The open disputes of banks, the next deadline first, by pages of 50.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function openDisputes(
  ctx: Ctx,
  { page }: { page: number },
): Promise<{ disputes: DisputeLine[]; more: boolean }> {
  authorize(ctx, mayDecideDisputes);
  const rows = await ctx.db
    .q()
    .selectFrom('disputes as d')
    .innerJoin('property_sales as s', 's.id', 'd.sale_id')
    .innerJoin('properties as h', 'h.id', 's.property_id')
    .select([
      'd.id',
      'd.sale_id',
      'd.kind',
      'd.amount_cents',
      'd.reason',
      'd.created_at',
      'd.evidence_due_at',
    ])
    .select(['h.address', 's.total_cents'])
    .select((where) =>
      where
        .selectFrom('dispute_evidence as e')
        .select('e.state')
        .whereRef('e.dispute_id', '=', 'd.id')
        .whereRef('e.dispute_kind', '=', 'd.kind')
        .orderBy('e.created_at', 'desc')
        .limit(1)
        .as('answer'),
    )
    .where('d.status', '=', 'open')
    .where('d.kind', '<>', 'problem')
    .orderBy(sql`d.evidence_due_at asc nulls last`)
    .orderBy('d.id')
    .limit(PAGE_SIZE + 1)
    .offset((page - 1) * PAGE_SIZE)
    .execute();
  return {
    disputes: rows.slice(0, PAGE_SIZE).map((row) => ({
      id: row.id,
      saleId: row.sale_id,
      address: row.address,
      kind: row.kind === 'inquiry' ? 'inquiry' : 'chargeback',
      amountCents: row.amount_cents ?? row.total_cents,
      reason: row.reason,
      openedAt: row.created_at.toISOString(),
      evidenceDueAt: row.evidence_due_at?.toISOString() ?? null,
      answer: row.answer,
    })),
    more: rows.length > PAGE_SIZE,
  };
}

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
    .select(
      sql<
        string[]
      >`array(select r.document_name from jsonb_array_elements(e.documents) with ordinality a(one, place)
      join document_registry r on r.id = (a.one ->> 'document')::uuid order by a.place)`.as('attached'),
    )
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
            texts: evidenceInWords((row.texts ?? {}) as Record<string, unknown>, row.attached),
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
  const record = await readDisputedSale(ctx, sale);
  const attached = record.attachments.flatMap(
    ({ document }) => record.documents.find(({ id }) => id === document)?.name ?? [],
  );
  return evidenceInWords(composeEvidence(record, ''), attached);
}
