import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { mayScanDocuments } from '../rules.ts';

/**
 * Deletes the file of a document that contained malware, whose row is gone; succeeds if it is gone already.
 * @throws Unauthenticated, Forbidden for every user; FileStoreError
 */
export async function deleteDocumentFile(ctx: CtxWith<'files'>, { key }: { key: string }): Promise<void> {
  authorize(ctx, mayScanDocuments);
  await ctx.files.delete(key);
}
