import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { SEARCH_RETENTION_DAYS } from '../limits.ts';
import { mayForgetSearches } from '../rules.ts';

/** So many rows are deleted in one statement, which locks them until it ends. */
const ROWS_AT_ONCE = 20_000;

/**
 * Deletes the searches that are older than searches are kept, and with them who searched for what. What the reports have counted
 * stays.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function forgetSearches(
  ctx: Ctx,
  { atOnce = ROWS_AT_ONCE, signal }: { atOnce?: number; signal?: AbortSignal } = {},
): Promise<void> {
  authorize(ctx, mayForgetSearches);
  const oldest = new Date(ctx.now().getTime() - SEARCH_RETENTION_DAYS * DAY);
  let deleted = atOnce;
  while (deleted === atOnce && !signal?.aborted) {
    const q = ctx.db.q();
    const { numDeletedRows } = await q
      .deleteFrom('search_events')
      .where('id', 'in', (old) =>
        old
          .selectFrom('search_events')
          .select('id')
          .where('created_at', '<', oldest)
          .orderBy('created_at')
          .limit(atOnce),
      )
      .executeTakeFirst();
    deleted = Number(numDeletedRows);
  }
}
