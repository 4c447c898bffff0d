import { sql } from 'kysely';
import { type AuditEntry, audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { BadRequest, NotFound } from '#platform/errors.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { workChainJob } from './chain-jobs.ts';
import { configuredNetwork, reasonToWait } from './configured-network.ts';

/**
 * Asks for a document's `anchor_hash` to be written to the chain, once for each network: asked again, nothing changes. Each version is a
 * document of its own. In the caller's transaction, who has decided that the actor may. Without a chain the document waits with the
 * reason 'Chain not configured', and is taken up by the first chain that is configured; one that was asked for on a network before is left
 * as it is there.
 * @throws NotFound; BadRequest for a test document, a revoked one, or one whose hash is no SHA-256
 */
export async function queueAnchor(ctx: Ctx, documentId: string): Promise<void> {
  const network = configuredNetwork(ctx);
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    const document = await q
      .selectFrom('document_registry')
      .select(['id', 'anchor_hash', 'is_test', 'property_id', 'property_sale_id', 'agent_id', 'status'])
      .where('id', '=', documentId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!document) throw new NotFound('Document not found');
    if (document.is_test) throw new BadRequest('A test document is not registered on the chain');
    if (document.status === 'revoked')
      throw new BadRequest('A revoked document is not registered on the chain');
    if (!/^[0-9a-f]{64}$/.test(document.anchor_hash)) throw new BadRequest('The document has no SHA-256');
    const { rows } = await sql`
      insert into document_anchors (document_id, network, anchor_hash, requested_at)
      select ${documentId}, ${network}, ${document.anchor_hash}, ${ctx.now()}
      where not exists (select from document_anchors where document_id = ${documentId}
        and (network is null or ${network}::text is null))
      on conflict do nothing returning id`.execute(q);
    if (rows.length === 0) return;
    await q
      .updateTable('document_registry')
      .set({ network, base_tx_hash: null, status: 'pending', failure_reason: reasonToWait(network) })
      .where('id', '=', documentId)
      .execute();
    await audit(ctx, {
      action: 'document.queue-anchor',
      ...subjectOf(document),
      after: { document: documentId, network, anchorHash: document.anchor_hash },
    });
    if (network) await enqueue(ctx, workChainJob, {}, { key: 'chain' });
  });
}

/** What audit rows of a document are about: its sale, else its property, else its seller, else itself. */
export function subjectOf(document: {
  id: string;
  property_id: string | null;
  property_sale_id: string | null;
  agent_id: string | null;
}): Pick<AuditEntry, 'entity' | 'entityId'> {
  if (document.property_sale_id) return { entity: 'property_sale', entityId: document.property_sale_id };
  if (document.property_id) return { entity: 'property', entityId: document.property_id };
  return document.agent_id
    ? { entity: 'agent', entityId: document.agent_id }
    : { entity: 'document', entityId: document.id };
}
