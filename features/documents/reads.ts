import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayReadDocuments, takesPart, visibleTo } from './access.ts';
import { documentPage, totalsOf, typesInUse } from './document-list.ts';
import { documentLimits } from './limits.ts';
import type { DocumentType, PropertyDocument, SaleDocument, StoredDocument } from './model.ts';
import { documentsOf, documentsProperty, propertiesMatching } from './property-documents.ts';
import type {
  DocumentList,
  DocumentListQuery,
  DocumentsProperty,
  DocumentTotals,
  PropertyChoice,
  PropertyDocuments,
  RegistryToken,
  TokenList,
  TokenListQuery,
} from './registry-model.ts';
import { mayManageDocuments } from './rules.ts';
import { tokenPage, tokensOf } from './token-list.ts';

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
 * @throws Unauthenticated; NotFound for a document that is not shown to the caller, while it is held for the scanner,
 * and after its file was erased;
 * TooManyRequests; FileStoreError
 */
export async function documentLink(ctx: CtxWith<'files'>, documentId: string): Promise<string> {
  const user = authorizedUser(ctx, mayReadDocuments);
  if (!isUuid(documentId)) throw new NotFound('Document not found');
  const row = await ctx.db
    .q()
    .selectFrom('document_registry as d')
    .select(['d.file_key', 'd.document_name', 'd.scan', 'd.erased_at'])
    .where('d.id', '=', documentId)
    .where(visibleTo(user))
    .executeTakeFirst();
  if (!row) throw new NotFound('Document not found');
  if (row.erased_at) throw new NotFound('This document was deleted because it is no longer needed.');
  if (row.scan === 'held') throw new NotFound('This document is waiting for the virus scanner.');
  await takeTokens(ctx, documentLimits.link, user.id);
  return ctx.files.readUrl(row.file_key, { ttlSeconds: LINK_SECONDS, downloadName: row.document_name });
}

/**
 * The documents of a sale that are shown to the caller, with what its seller has disclosed about the property, oldest first; a document
 * that is held is named, too.
 * @throws Unauthenticated; NotFound for a sale that the caller has no part in
 */
export async function documentsOfSale(ctx: Ctx, saleId: string): Promise<SaleDocument[]> {
  const user = authorizedUser(ctx, mayReadDocuments);
  if (!isUuid(saleId)) throw new NotFound();
  const q = ctx.db.q();
  const sale = await q
    .selectFrom('property_sales as s')
    .innerJoin('agents as a', 'a.id', 's.agent_id')
    .select(['s.buyer_id', 's.property_id', 's.agent_id', 'a.user_id as seller_id'])
    .where('s.id', '=', saleId)
    .where(takesPart(user))
    .executeTakeFirst();
  if (!sale) throw new NotFound();
  const rows = await q
    .selectFrom('document_registry as d')
    .select(['d.id', 'd.document_name', 'd.document_type', 'd.version', 'd.byte_size', 'd.scan', 'd.origin'])
    .select(['d.number', 'd.uploaded_by', 'd.created_at', 'd.status'])
    .where((of) =>
      of.or([
        of('d.property_sale_id', '=', saleId),
        of.and([
          of('d.property_id', '=', sale.property_id),
          of('d.agent_id', '=', sale.agent_id),
          of('d.document_type', '=', 'Disclosure'),
          of('d.property_sale_id', 'is', null),
        ]),
      ]),
    )
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
    revoked: row.status === 'revoked',
    createdAt: row.created_at.toISOString(),
  }));
}

/**
 * How many documents and tokens there are, counted by the database; of more than 10,000 the number is minutes old.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function documentTotals(ctx: Ctx): Promise<DocumentTotals> {
  authorize(ctx, mayManageDocuments);
  return totalsOf(ctx);
}

/**
 * A page of all documents, 25 a page, newest first unless sorted; test documents are left out.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function documentList(ctx: Ctx, query: DocumentListQuery = {}): Promise<DocumentList> {
  authorize(ctx, mayManageDocuments);
  return documentPage(ctx, query);
}

/**
 * The types that documents have, in alphabetical order.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function usedDocumentTypes(ctx: Ctx): Promise<string[]> {
  authorize(ctx, mayManageDocuments);
  return typesInUse(ctx);
}

/**
 * A page of the tokens of a kind, 25 a page, newest first unless sorted.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function tokenList(ctx: Ctx, query: TokenListQuery): Promise<TokenList> {
  authorize(ctx, mayManageDocuments);
  return tokenPage(ctx, query);
}

/**
 * The newest tokens of a property, 100 at most, of one kind or of both.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function tokensOfProperty(
  ctx: Ctx,
  query: { propertyId: string; kind?: RegistryToken['kind'] },
): Promise<RegistryToken[]> {
  authorize(ctx, mayManageDocuments);
  return isUuid(query.propertyId) ? tokensOf(ctx, query) : [];
}

/**
 * A page of a property's documents, 25 a page, the newest first, each with its earlier versions.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function propertyDocuments(
  ctx: Ctx,
  query: { propertyId: string; type?: string | null; page?: number },
): Promise<PropertyDocuments> {
  authorize(ctx, mayManageDocuments);
  return documentsOf(ctx, query);
}

/**
 * The property whose documents are managed.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function propertyOfDocuments(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<DocumentsProperty> {
  authorize(ctx, mayManageDocuments);
  return documentsProperty(ctx, propertyId);
}

/**
 * The newest properties whose address has all the typed words, eight at most; the newest of all when nothing is typed.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function propertyChoices(ctx: Ctx, q: string): Promise<PropertyChoice[]> {
  authorize(ctx, mayManageDocuments);
  return propertiesMatching(ctx, q);
}
