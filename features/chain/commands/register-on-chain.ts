import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { queueAnchor } from '../queue-anchor.ts';
import { mayManageChain } from '../rules.ts';

export type RegisterOnChainResult = { ok: true } | { ok: false; reason: 'test' | 'hash'; text: string };

/**
 * Has a document's hash written to the chain; once for each network, so asked again nothing changes.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function registerOnChain(ctx: Ctx, documentId: string): Promise<RegisterOnChainResult> {
  authorize(ctx, mayManageChain);
  if (!isUuid(documentId)) throw new NotFound('Document not found');
  const document = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select(['is_test', 'anchor_hash'])
    .where('id', '=', documentId)
    .executeTakeFirst();
  if (!document) throw new NotFound('Document not found');
  if (document.is_test)
    return { ok: false, reason: 'test', text: 'A test document is not registered on the chain.' };
  if (!/^[0-9a-f]{64}$/.test(document.anchor_hash))
    return { ok: false, reason: 'hash', text: 'This document has no SHA-256, so it cannot be registered.' };
  await queueAnchor(ctx, documentId);
  return { ok: true };
}
