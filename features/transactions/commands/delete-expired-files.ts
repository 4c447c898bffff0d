import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { deleteParts } from '../file-parts.ts';
import { mayMakeFiles } from '../rules.ts';

/** Files deleted in one run. */
const BATCH = 100;

/**
 * Deletes prepared files whose links have ended; first from the file store, so that nothing stays there unnamed.
 * @throws Unauthenticated, Forbidden for every user; FileStoreError
 */
export async function deleteExpiredFiles(ctx: CtxWith<'files'>): Promise<void> {
  authorize(ctx, mayMakeFiles);
  const expired = await ctx.db
    .q()
    .selectFrom('transaction_files')
    .select('id')
    .where('expires_at', '<', ctx.now())
    .orderBy('expires_at')
    .limit(BATCH)
    .execute();
  for (const { id } of expired) {
    await deleteParts(ctx.files, id);
    await ctx.db.q().deleteFrom('transaction_files').where('id', '=', id).execute();
  }
}
