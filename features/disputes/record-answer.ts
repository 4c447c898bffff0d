import type { Selectable } from 'kysely';
import { receiptRecord } from '#features/sales/reads.ts';
import { lockSale } from '#features/sales/sale-row.ts';
import { audit } from '#platform/audit.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { composeEvidence } from './compose-evidence.ts';
import { evidenceJob } from './evidence-job.ts';
import type { DisputeRefusal, DisputeResult } from './model.ts';
import { readDisputedSale } from './read-disputed-sale.ts';

/** A dispute of the payer's bank. */
type Dispute = Selectable<DB['disputes']> & { kind: 'inquiry' | 'chargeback'; buyerId: string };

/** A dispute, locked together with its sale in the current transaction; undefined for one that the provider does not know. */
export async function lockDispute(ctx: Ctx, disputeId: string): Promise<Dispute | undefined> {
  const read = () =>
    ctx.db.q().selectFrom('disputes').selectAll().where('id', '=', disputeId).executeTakeFirst();
  const found = await read();
  if (!found) return undefined;
  // Whoever writes a dispute has locked its sale.
  const sale = await lockSale(ctx, found.sale_id);
  const dispute = await read();
  return sale && dispute && dispute.kind !== 'problem'
    ? { ...dispute, kind: dispute.kind, buyerId: sale.buyer_id }
    : undefined;
}

/** Why a dispute cannot be answered now, or null. */
export async function refusalToAnswer(
  ctx: Ctx,
  { id, kind, status, evidence_due_at, buyerId }: Dispute,
): Promise<DisputeRefusal | null> {
  if (ctx.actor.kind === 'user' && ctx.actor.id === buyerId) return 'own_purchase';
  if (status !== 'open') return 'decided';
  const answered = await ctx.db
    .q()
    .selectFrom('dispute_evidence')
    .select('id')
    .where('dispute_id', '=', id)
    .where('dispute_kind', '=', kind)
    .executeTakeFirst();
  if (answered) return 'answered';
  return evidence_due_at === null || evidence_due_at <= ctx.now() ? 'not_answerable' : null;
}

/** Collects what speaks for us about a locked dispute, records it and has it sent, all in the current transaction. */
export async function recordAnswer(ctx: Ctx, dispute: Dispute, statement: string): Promise<DisputeResult> {
  const refusal = await refusalToAnswer(ctx, dispute);
  if (refusal) return { ok: false, reason: refusal };
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('id', '=', dispute.sale_id)
    .executeTakeFirstOrThrow();
  const receipt = await receiptRecord(asSystem(ctx, 'disputes'), sale.id);
  const record = await readDisputedSale(ctx, sale);
  const texts = composeEvidence(record, statement);
  const { id: evidenceId } = await ctx.db
    .q()
    .insertInto('dispute_evidence')
    .values({
      dispute_id: dispute.id,
      dispute_kind: dispute.kind,
      state: 'pending',
      texts: JSON.stringify(texts),
      receipt: receipt && Buffer.from(receipt),
      documents: JSON.stringify(record.attachments),
      requested_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: 'dispute.answer',
    entity: 'dispute',
    entityId: dispute.id,
    after: { evidence: evidenceId, saleId: dispute.sale_id },
  });
  await enqueue(ctx, evidenceJob, { evidenceId }, { key: evidenceId });
  return { ok: true };
}
