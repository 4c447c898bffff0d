import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { isUuid } from '#platform/uuid.ts';
import { workChainJob } from '../chain-jobs.ts';
import { configuredNetwork, reasonToWait } from '../configured-network.ts';
import { queueAnchor, subjectOf } from '../queue-anchor.ts';
import { queueMintAgain } from '../queue-mint.ts';
import { mayManageChain } from '../rules.ts';
import { showAnchors } from '../transaction.ts';

/**
 * Tries again what could not be written: a failed document or token goes back to the queue, one that waits is tried now. What is signed is
 * replaced by the worker itself, and what is confirmed stays, as does a document that waits for the virus scanner. A document that failed
 * on another network is asked for on the configured one, or shown as it is there.
 * @returns whether anything is to be done
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function retryChain(
  ctx: Ctx,
  what: { documentId: string } | { nftId: string },
): Promise<{ retried: boolean }> {
  authorize(ctx, mayManageChain);
  const id = 'documentId' in what ? what.documentId : what.nftId;
  if (!isUuid(id)) throw new NotFound();
  return ctx.db.tx(async () => {
    const retried = 'documentId' in what ? await retryDocument(ctx, id) : await retryToken(ctx, id);
    if (retried && configuredNetwork(ctx)) await enqueue(ctx, workChainJob, {}, { key: 'chain' });
    return { retried };
  });
}

async function retryDocument(ctx: Ctx, documentId: string): Promise<boolean> {
  const q = ctx.db.q();
  const network = configuredNetwork(ctx);
  // The anchor first, as the worker takes the two; that of the configured network, since nothing works on another one's.
  const { rows } = await sql<{
    id: string;
    network: string | null;
    transaction_id: string | null;
    state: string | null;
  }>`
    select a.id, a.network, a.transaction_id, t.state from document_anchors a
      left join chain_transactions t on t.id = a.transaction_id
    where a.document_id = ${documentId}
    order by a.network is not distinct from ${network} desc, a.requested_at desc, a.id limit 1 for update of a`.execute(
    q,
  );
  const document = await q
    .selectFrom('document_registry')
    .select(['id', 'status', 'network', 'scan', 'erased_at', 'property_id', 'property_sale_id', 'agent_id'])
    .where('id', '=', documentId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!document) throw new NotFound('Document not found');
  // Nothing is left to be proved by its hash, or it may turn out to be malware and be deleted.
  if (document.erased_at || document.scan === 'held') return false;
  if (document.status === 'revoked') return false;
  // On whichever network: asked for on the configured one, it would be shown as waiting, and no longer as proved.
  if (document.status === 'confirmed') return false;
  const [anchor] = rows;
  if (!anchor || (network && anchor.network && anchor.network !== network)) {
    await queueAnchor(ctx, documentId);
    return true;
  }
  if (anchor.network && document.network !== anchor.network)
    await showAnchors(ctx, [documentId], anchor.network);
  if (anchor.state === 'queued') return hurry(ctx, anchor.transaction_id ?? '');
  if (anchor.state !== 'failed') return anchor.state === null || document.network !== anchor.network;
  await q
    .updateTable('document_anchors')
    .set({ transaction_id: null, proof: null, requested_at: ctx.now() })
    .where('id', '=', anchor.id)
    .execute();
  await q
    .updateTable('document_registry')
    .set({ status: 'pending', base_tx_hash: null, failure_reason: reasonToWait(network) })
    .where('id', '=', documentId)
    .execute();
  await audit(ctx, {
    action: 'document.retry-anchor',
    ...subjectOf(document),
    before: { document: documentId, status: document.status },
    after: { document: documentId, status: 'pending', network: anchor.network },
  });
  return true;
}

async function retryToken(ctx: Ctx, nftId: string): Promise<boolean> {
  const q = ctx.db.q();
  const token = await q
    .selectFrom('completion_nfts')
    .select(['status', 'network', 'property_id', 'property_sale_id'])
    .where('id', '=', nftId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!token) throw new NotFound('Token not found');
  const last = await q
    .selectFrom('chain_transactions')
    .select(['id', 'state', 'requested_by'])
    .where('nft_id', '=', nftId)
    .where('kind', '=', 'mint')
    .orderBy((is) => is('state', '=', 'failed'))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last?.state === 'queued') return hurry(ctx, last.id);
  if (token.status === 'confirmed' || (last && last.state !== 'failed')) return false;
  const network = await queueMintAgain(ctx, { nftId, requestedBy: last?.requested_by ?? null });
  await audit(ctx, {
    action: 'token.retry',
    entity: token.property_sale_id ? 'property_sale' : 'property',
    entityId: token.property_sale_id ?? token.property_id,
    before: { token: nftId, status: token.status, network: token.network },
    after: { token: nftId, status: 'pending', network },
  });
  return true;
}

/**
 * What waits for its next attempt has it now. A transaction that is held is being tried; waiting for that could take for ever, since what
 * it writes to is held here.
 */
async function hurry(ctx: Ctx, transactionId: string): Promise<boolean> {
  await sql`
    update chain_transactions set next_at = ${ctx.now()}
    where id = (select id from chain_transactions where id = ${transactionId} for update skip locked)`.execute(
    ctx.db.q(),
  );
  await audit(ctx, { action: 'chain.hurry', entity: 'chain_transaction', entityId: transactionId });
  return true;
}
