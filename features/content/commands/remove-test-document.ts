import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { PinStatus } from '../model.ts';
import { workOnPin } from '../pin.ts';
import { mayManageContent } from '../rules.ts';

/**
 * Removes a test document, from the store of public content and from ours. Must run outside of a transaction.
 * @returns what became of its address: `unpinned`, `pinned` while another document has the same content, or `unpinning` while
 *   the store does not answer, which is tried again
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound for anything but a test document; FileStoreError
 */
export async function removeTestDocument(
  ctx: CtxWith<'files' | 'content'>,
  documentId: string,
): Promise<{ status: PinStatus }> {
  authorize(ctx, mayManageContent);
  if (!isUuid(documentId)) throw new NotFound('Document not found');
  const removed = await ctx.db.tx(async () => {
    const row = await ctx.db
      .q()
      .deleteFrom('document_registry')
      .where('id', '=', documentId)
      .where('is_test', '=', true)
      .returning(['file_key', 'cid', 'document_name'])
      .executeTakeFirst();
    if (!row) throw new NotFound('Document not found');
    await audit(ctx, {
      action: 'document.remove',
      entity: 'document',
      entityId: documentId,
      before: { document: documentId, documentName: row.document_name, test: true },
    });
    return row;
  });
  await ctx.files.delete(removed.file_key);
  const { cid } = removed;
  if (cid === null) return { status: 'unpinned' };
  await workOnPin(ctx, cid);
  const pin = await ctx.db
    .q()
    .selectFrom('content_pins')
    .select('status')
    .where('cid', '=', cid)
    .executeTakeFirst();
  return { status: pin?.status ?? 'unpinned' };
}
