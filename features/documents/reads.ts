import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { documentLimits } from './limits.ts';
import type { DocumentType, PropertyDocument, StoredDocument } from './model.ts';
import { mayManageDocuments } from './rules.ts';

/** How long the signed address of a document is valid, in seconds. */
const LINK_SECONDS = 300;

/**
 * The newest document of a type that a property has, or null.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function latestDocument(
  ctx: Ctx,
  { propertyId, type }: { propertyId: string; type: DocumentType },
): Promise<PropertyDocument | null> {
  authorize(ctx, mayManageDocuments);
  const row = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select(['id', 'document_name', 'version', 'scan', 'created_at'])
    .where('property_id', '=', propertyId)
    .where('document_type', '=', type)
    .orderBy('created_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row
    ? {
        id: row.id,
        name: row.document_name,
        version: row.version,
        scan: row.scan as StoredDocument['scan'],
        createdAt: row.created_at.toISOString(),
      }
    : null;
}

/**
 * A signed address under which a document can be downloaded for five minutes.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound, also while it is held for the scanner
 * and after its file was erased;
 * TooManyRequests; FileStoreError
 */
export async function documentLink(ctx: CtxWith<'files'>, documentId: string): Promise<string> {
  const user = authorizedUser(ctx, mayManageDocuments);
  if (!isUuid(documentId)) throw new NotFound('Document not found');
  const row = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select(['file_key', 'document_name', 'scan', 'erased_at'])
    .where('id', '=', documentId)
    .executeTakeFirst();
  if (!row) throw new NotFound('Document not found');
  if (row.erased_at) throw new NotFound('This document was deleted because it is no longer needed.');
  if (row.scan === 'held') throw new NotFound('This document is waiting for the virus scanner.');
  await takeTokens(ctx, documentLimits.link, user.id);
  return ctx.files.readUrl(row.file_key, { ttlSeconds: LINK_SECONDS, downloadName: row.document_name });
}
