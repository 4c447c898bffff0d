import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { DocumentType, StoredDocument } from '../model.ts';
import { mayManageDocuments } from '../rules.ts';

interface RegisterInput {
  propertyId: string;
  type: DocumentType;
  document: StoredDocument;
}

/**
 * Registers a stored document for a property, as the next version of its type or name. Runs in the transaction of what the document
 * belongs to, which holds the property's row, so that versions are counted one after another.
 * @returns the document's id
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function registerDocument(
  ctx: Ctx,
  { propertyId, type, document }: RegisterInput,
): Promise<string> {
  const user = authorizedUser(ctx, mayManageDocuments);
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    const { latest } = await q
      .selectFrom('document_registry')
      .select((of) => of.fn.coalesce(of.fn.max('version'), of.val(0)).as('latest'))
      .where('property_id', '=', propertyId)
      .where((of) => of.or([of('document_type', '=', type), of('document_name', '=', document.name)]))
      .executeTakeFirstOrThrow();
    const version = Number(latest) + 1;
    const { id } = await q
      .insertInto('document_registry')
      .values({
        property_id: propertyId,
        document_name: document.name,
        document_type: type,
        version,
        file_key: document.key,
        content_type: document.contentType,
        byte_size: document.bytes,
        sha256: document.sha256,
        scan: document.scan,
        uploaded_by: user.id,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, {
      action: 'document.register',
      entity: 'property',
      entityId: propertyId,
      after: {
        document: id,
        documentName: document.name,
        documentType: type,
        version,
        sha256: document.sha256,
        scan: document.scan,
      },
    });
    return id;
  });
}
