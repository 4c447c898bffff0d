import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { insertDocument } from '../insert-document.ts';
import type { DocumentType, StoredDocument } from '../model.ts';
import { mayManageDocuments } from '../rules.ts';

interface RegisterInput {
  propertyId: string;
  type: DocumentType;
  document: StoredDocument;
}

/**
 * Registers a stored document for a property, in the transaction of what the document belongs to.
 * @returns the document's id and which version of its name, or of the property's surveys, it is
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function registerDocument(
  ctx: Ctx,
  { propertyId, type, document }: RegisterInput,
): Promise<{ id: string; version: number }> {
  const user = authorizedUser(ctx, mayManageDocuments);
  return insertDocument(ctx, { propertyId, type, document, uploadedBy: user.id });
}
