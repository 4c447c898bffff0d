import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import type { StoreDocumentResult } from '../model.ts';
import { mayManageDocuments } from '../rules.ts';
import { storeUpload, type UploadedFile } from '../store-upload.ts';

/**
 * Checks an uploaded document by its contents, has it scanned, and writes it to the private store. Nothing names it yet: see
 * `registerDocument`, and `discardUnnamed` when that does not happen. Must run outside of a transaction.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests; FileStoreError
 */
export async function storeDocument(
  ctx: CtxWith<'files' | 'malware'>,
  file: UploadedFile,
): Promise<StoreDocumentResult> {
  const user = authorizedUser(ctx, mayManageDocuments);
  return storeUpload(ctx, file, user.id);
}
