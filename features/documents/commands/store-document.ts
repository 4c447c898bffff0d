import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import type { StoreDocumentResult, StoredDocument } from '../model.ts';
import { mayManageDocuments } from '../rules.ts';
import { discardUpload, storeUpload, type UploadedFile } from '../store-upload.ts';

/**
 * Checks an uploaded document by its contents, has it scanned, and writes it to the private store. Nothing names it yet: see
 * `registerDocument`, and `discardDocument` when that does not happen. Must run outside of a transaction.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests; FileStoreError
 */
export async function storeDocument(
  ctx: CtxWith<'files' | 'malware'>,
  file: UploadedFile,
): Promise<StoreDocumentResult> {
  const user = authorizedUser(ctx, mayManageDocuments);
  return storeUpload(ctx, file, user.id);
}

/**
 * Deletes a stored document that was not registered.
 * @throws Unauthenticated, Forbidden for everyone but administrators; FileStoreError
 */
export async function discardDocument(ctx: CtxWith<'files'>, document: StoredDocument): Promise<void> {
  authorizedUser(ctx, mayManageDocuments);
  await discardUpload(ctx, document);
}
