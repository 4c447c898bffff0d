import { sql } from 'kysely';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { plural } from '#platform/format-count.ts';
import { oneByOne } from '#platform/one-by-one.ts';
import { deleteParts } from '../file-parts.ts';
import { mayMakeFiles } from '../rules.ts';

/** Files deleted in one run. */
const BATCH = 100;

/**
 * Deletes prepared files whose links have ended; first from the file store, so that nothing stays there unnamed. One
 * that it does not delete keeps none of the others, and is tried again by the next run.
 * @throws Unauthenticated, Forbidden for every user; AggregateError when some could not be deleted
 */
export async function deleteExpiredFiles(ctx: CtxWith<'files'>): Promise<void> {
  authorize(ctx, mayMakeFiles);
  const expired = await ctx.db
    .q()
    .selectFrom('transaction_files')
    .select('id')
    .where('expires_at', '<', ctx.now())
    // However many cannot be deleted, they do not come first each time.
    .orderBy(sql`random()`)
    .limit(BATCH)
    .execute();
  const summary = (failed: number) =>
    `${plural(failed, 'prepared file', 'prepared files')} could not be deleted`;
  await oneByOne(expired, summary, async ({ id }) => {
    await deleteParts(ctx.files, id);
    await ctx.db.q().deleteFrom('transaction_files').where('id', '=', id).execute();
  });
}
