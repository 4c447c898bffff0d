import { discardUnnamed } from '#features/documents/discard-unnamed.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import { storeUpload, type UploadedFile } from '#features/documents/store-upload.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { type AddTestDocumentResult, MAX_TEST_BYTES } from '../model.ts';
import { workOnPin } from '../pin.ts';
import { testDocument } from '../reads.ts';
import { contentMessages, mayManageContent } from '../rules.ts';
import { testsRefusal } from '../test-documents.ts';

/**
 * Publishes a document for a trial, under no property and in no count. Must run outside of a transaction.
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests; FileStoreError
 */
export async function addTestDocument(
  ctx: CtxWith<'files' | 'malware' | 'content'>,
  file: UploadedFile,
): Promise<AddTestDocumentResult> {
  const user = authorizedUser(ctx, mayManageContent);
  if (!ctx.content) return { ok: false, reason: 'not_configured', text: contentMessages.notConfigured };
  const refused = testsRefusal(ctx.config);
  if (refused) return { ok: false, reason: 'not_allowed', text: refused };
  if (file.bytes.length > MAX_TEST_BYTES)
    return { ok: false, reason: 'too_large', text: contentMessages.testTooLarge };
  const stored = await storeUpload(ctx, file, user.id);
  if (!stored.ok) return stored;
  const { document } = stored;
  const registered = await insertDocument(ctx, {
    propertyId: null,
    type: 'Other',
    visibility: 'public',
    isTest: true,
    uploadedBy: user.id,
    document,
  }).catch(async (error: unknown) => {
    await discardUnnamed(ctx, document);
    throw error;
  });
  // Right away, so that the page can show what the store says; a job does it when another process is already at it.
  if (document.scan !== 'held' && document.cid) await workOnPin(ctx, document.cid);
  return { ok: true, document: await testDocument(ctx, registered.id) };
}
