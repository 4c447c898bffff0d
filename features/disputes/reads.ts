import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayDecideDisputes } from './rules.ts';

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
