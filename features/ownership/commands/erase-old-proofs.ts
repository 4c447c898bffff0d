import { sql } from 'kysely';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { plural } from '#platform/format-count.ts';
import { oneByOne } from '#platform/one-by-one.ts';
import { mayEraseProofs, PROOF_RETENTION_MS } from '../rules.ts';

const BATCH_SIZE = 50;

interface OldProof {
  id: string;
  property_id: string;
  document_id: string | null;
  file_key: string | null;
}

/**
 * Erases the documents of proofs that were refused, withdrawn or replaced more than 90 days ago, and what their sellers typed: no
 * one needs a person's deed any longer that proves nothing here. Type, hash and decision stay. A verified one is kept as long as it
 * counts. One whose file the store does not delete keeps none of the others, and is tried again by the next run.
 * @returns how many were erased
 * @throws Unauthenticated, Forbidden for every user; AggregateError when some could not be erased
 */
export async function eraseOldProofs(ctx: CtxWith<'files'>): Promise<number> {
  authorize(ctx, mayEraseProofs);
  const before = new Date(ctx.now().getTime() - PROOF_RETENTION_MS);
  const { rows } = await sql<OldProof>`
    select o.id, o.property_id, o.document_id, d.file_key from ownership_proofs o
      left join document_registry d on d.id = o.document_id
    where o.erased_at is null and o.status in ('refused', 'withdrawn', 'replaced')
      and coalesce(o.ended_at, o.decided_at) < ${before}
    order by coalesce(o.ended_at, o.decided_at) limit ${BATCH_SIZE}`.execute(ctx.db.q());
  const summary = (failed: number) => `${plural(failed, 'old proof', 'old proofs')} could not be erased`;
  await oneByOne(rows, summary, async (proof) => {
    // The file first: interrupted after it, the next run finds the row again, and nothing of the file is left.
    if (proof.file_key) await ctx.files.delete(proof.file_key);
    await ctx.db.tx(() => erase(ctx, proof));
  });
  return rows.length;
}

async function erase(ctx: Ctx, { id, property_id, document_id }: OldProof): Promise<void> {
  const q = ctx.db.q();
  const erased = await q
    .updateTable('ownership_proofs')
    .set({ owner_name: null, parcel_number: null, note: '', erased_at: ctx.now() })
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (!erased) return;
  if (document_id)
    await q
      .updateTable('document_registry')
      // A name of its own, since no two documents of a property have the same name and version.
      .set({ document_name: `Erased document ${document_id}`, erased_at: ctx.now() })
      .where('id', '=', document_id)
      .execute();
  await audit(ctx, {
    action: 'ownership.erase',
    entity: 'property',
    entityId: property_id,
    after: { proof: id, document: document_id },
  });
}
