import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayReadDocuments, takesPart, visibleTo } from './access.ts';
import { documentLimits } from './limits.ts';
import type { DocumentType, PropertyDocument, SaleDocument, StoredDocument } from './model.ts';
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
 * @throws Unauthenticated; NotFound for a document that is not shown to the caller, and while it is held for the scanner;
 * TooManyRequests; FileStoreError
 */
export async function documentLink(ctx: CtxWith<'files'>, documentId: string): Promise<string> {
  const user = authorizedUser(ctx, mayReadDocuments);
  if (!isUuid(documentId)) throw new NotFound('Document not found');
  const row = await ctx.db
    .q()
    .selectFrom('document_registry as d')
    .select(['d.file_key', 'd.document_name', 'd.scan'])
    .where('d.id', '=', documentId)
    .where(visibleTo(user))
    .executeTakeFirst();
  if (!row) throw new NotFound('Document not found');
  if (row.scan === 'held') throw new NotFound('This document is waiting for the virus scanner.');
  await takeTokens(ctx, documentLimits.link, user.id);
  return ctx.files.readUrl(row.file_key, { ttlSeconds: LINK_SECONDS, downloadName: row.document_name });
}

/**
 * The documents of a sale that are shown to the caller, oldest first; a document that is held is named, too.
 * @throws Unauthenticated; NotFound for a sale that the caller has no part in
 */
export async function documentsOfSale(ctx: Ctx, saleId: string): Promise<SaleDocument[]> {
  const user = authorizedUser(ctx, mayReadDocuments);
  if (!isUuid(saleId)) throw new NotFound();
  const q = ctx.db.q();
  const sale = await q
    .selectFrom('property_sales as s')
    .innerJoin('agents as a', 'a.id', 's.agent_id')
    .select(['s.buyer_id', 'a.user_id as seller_id'])
    .where('s.id', '=', saleId)
    .where(takesPart(user))
    .executeTakeFirst();
  if (!sale) throw new NotFound();
  const rows = await q
    .selectFrom('document_registry as d')
    .select(['d.id', 'd.document_name', 'd.document_type', 'd.version', 'd.byte_size', 'd.scan', 'd.origin'])
    .select(['d.number', 'd.uploaded_by', 'd.created_at'])
    .where('d.property_sale_id', '=', saleId)
    .where(visibleTo(user))
    .orderBy('d.created_at')
    .orderBy('d.document_name')
    .orderBy('d.id')
    .execute();
  const sideOf = (by: string | null): SaleDocument['by'] =>
    by === sale.buyer_id ? 'buyer' : by === sale.seller_id ? 'seller' : 'admin';
  return rows.map((row) => ({
    id: row.id,
    name: row.document_name,
    type: row.document_type as DocumentType,
    version: row.version,
    bytes: row.byte_size,
    scan: row.scan as StoredDocument['scan'],
    by: row.origin === 'made' ? 'system' : sideOf(row.uploaded_by),
    number: row.number,
    createdAt: row.created_at.toISOString(),
  }));
}
