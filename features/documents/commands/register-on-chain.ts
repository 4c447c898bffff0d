import { queueAnchor } from '#features/chain/queue-anchor.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { documentMessages, mayManageDocuments } from '../rules.ts';

type Result =
  | { ok: true; name: string; configured: boolean }
  /** `text`: why not, as the administrator reads it */
  | { ok: false; reason: 'held' | 'test' | 'erased' | 'revoked'; text: string };

/**
 * Asks for a document's hash to be written to the chain; asked again, nothing changes. Without a chain it waits for one. A document that
 * is held for the virus scanner may yet be deleted, one that only tests the store is deleted after the test, of one that was deleted
 * nothing is left to prove, and one that was revoked counts no longer, so none of them is registered.
 * @param propertyId the property on whose page it was asked for, of which the document has to be
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound; BadRequest for a document without a SHA-256
 */
export async function registerOnChain(
  ctx: Ctx,
  { propertyId, documentId }: { propertyId: string; documentId: string },
): Promise<Result> {
  authorize(ctx, mayManageDocuments);
  if (!isUuid(propertyId) || !isUuid(documentId)) throw new NotFound('Document not found');
  return ctx.db.tx(async () => {
    const document = await ctx.db
      .q()
      .selectFrom('document_registry')
      .select(['document_name', 'scan', 'is_test', 'erased_at', 'status'])
      .where('id', '=', documentId)
      .where('property_id', '=', propertyId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!document) throw new NotFound('Document not found');
    if (document.is_test) return { ok: false, reason: 'test', text: documentMessages.testNotRegistered };
    if (document.erased_at)
      return { ok: false, reason: 'erased', text: documentMessages.erasedNotRegistered };
    if (document.status === 'revoked')
      return { ok: false, reason: 'revoked', text: documentMessages.revokedNotRegistered };
    if (document.scan === 'held')
      return { ok: false, reason: 'held', text: documentMessages.heldNotRegistered };
    await queueAnchor(ctx, documentId);
    return { ok: true, name: document.document_name, configured: ctx.config.chain !== undefined };
  });
}
