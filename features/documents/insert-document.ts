import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type AuditEntry, audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { DocumentAudience, DocumentType, StoredDocument } from './model.ts';
import { sameDocument } from './same-document.ts';

/** A document to register. One of property, sale and seller is named at least, except for a test. */
export interface NewDocument {
  propertyId: string | null;
  saleId?: string | null;
  agentId?: string | null;
  type: DocumentType;
  /** `made`: by us, such as a receipt */
  origin?: 'uploaded' | 'made';
  /** who sees it beside administrators; none of them unless said otherwise */
  shownTo?: DocumentAudience;
  visibility?: 'private' | 'public';
  /** a trial of the store of public content: under nothing, and in no count */
  isTest?: boolean;
  /** the number of a document made by us; no two documents have the same */
  number?: string | null;
  uploadedBy: string | null;
  document: StoredDocument;
}

/**
 * Registers a stored document as the next version of what is the same document (`sameDocument`). Versions are counted one after another,
 * since the property's row is held. A private document gets a salt, so that the hash on a chain does not give away what
 * could be guessed. Whoever calls this has decided that the actor may.
 */
export async function insertDocument(ctx: Ctx, input: NewDocument): Promise<{ id: string; version: number }> {
  const { propertyId, saleId = null, agentId = null, type, document } = input;
  const {
    origin = 'uploaded',
    shownTo = 'office',
    visibility = 'private',
    number = null,
    isTest = false,
  } = input;
  return ctx.db.tx(async () => {
    const version = propertyId
      ? await nextVersion(ctx, propertyId, {
          property_sale_id: saleId,
          agent_id: agentId,
          shown_to: shownTo,
          document_type: type,
          document_name: document.name,
          uploaded_by: input.uploadedBy,
        })
      : 1;
    const { id } = await ctx.db
      .q()
      .insertInto('document_registry')
      .values({
        property_id: propertyId,
        property_sale_id: saleId,
        agent_id: agentId,
        document_name: document.name,
        document_type: type,
        version,
        visibility,
        origin,
        shown_to: shownTo,
        number,
        file_key: document.key,
        content_type: document.contentType,
        byte_size: document.bytes,
        sha256: document.sha256,
        cid: document.cid ?? null,
        is_test: isTest,
        salt: visibility === 'private' ? randomBytes(32).toString('hex') : null,
        scan: document.scan,
        uploaded_by: input.uploadedBy,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, {
      action: 'document.register',
      ...documentSubject({ propertyId, saleId, agentId, id }),
      after: {
        document: id,
        ...nameForAudit(type, document.name),
        documentType: type,
        version,
        sha256: document.sha256,
        ...(document.cid && { cid: document.cid }),
        scan: document.scan,
        ...(isTest && { test: true }),
      },
    });
    return { id, version };
  });
}

interface NewVersion {
  property_sale_id: string | null;
  agent_id: string | null;
  shown_to: DocumentAudience;
  document_type: DocumentType;
  document_name: string;
  uploaded_by: string | null;
}

async function nextVersion(ctx: Ctx, propertyId: string, added: NewVersion): Promise<number> {
  const q = ctx.db.q();
  await q
    .selectFrom('properties')
    .select('id')
    .where('id', '=', propertyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ latest: number }>`
    with n as (select ${propertyId}::uuid as property_id, ${added.property_sale_id}::uuid as property_sale_id,
      ${added.agent_id}::uuid as agent_id, ${added.shown_to}::text as shown_to, ${added.document_type}::text as document_type,
      ${added.document_name}::text as document_name, ${added.uploaded_by}::uuid as uploaded_by)
    select coalesce(max(d.version), 0) as latest from n join document_registry d on ${sameDocument('d', 'n')}`.execute(
    q,
  );
  return Number(rows[0]?.latest ?? 0) + 1;
}

interface Subject {
  propertyId: string | null;
  saleId: string | null;
  agentId: string | null;
  id: string;
}

/** What a document's audit rows are about: its sale, else its property, else its seller, else itself. */
export function documentSubject({
  propertyId,
  saleId,
  agentId,
  id,
}: Subject): Pick<AuditEntry, 'entity' | 'entityId'> {
  if (saleId) return { entity: 'property_sale', entityId: saleId };
  if (propertyId) return { entity: 'property', entityId: propertyId };
  return agentId ? { entity: 'agent', entityId: agentId } : { entity: 'document', entityId: id };
}

/** The name of a document in its audit rows. A proof of ownership is erased some day, with its name; they are not. */
export const nameForAudit = (type: string, name: string): { documentName?: string } =>
  type === ('Proof of ownership' satisfies DocumentType) ? {} : { documentName: name };
