import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { isUuid } from '#platform/uuid.ts';
import { maySaveSearches } from '../rules.ts';

type MarkSeenResult =
  /** how many were new */
  | { ok: true; count: number }
  /** the search was deleted elsewhere, or was never theirs */
  | { ok: false; reason: 'gone' };

/**
 * Marks all matches of one of the user's searches as seen, and tells the user's other pages.
 * @throws Unauthenticated
 */
export async function markMatchesSeen(ctx: Ctx, input: { id: string }): Promise<MarkSeenResult> {
  const user = authorizedUser(ctx, maySaveSearches);
  if (!isUuid(input.id)) return { ok: false, reason: 'gone' };
  return ctx.db.tx(async (): Promise<MarkSeenResult> => {
    const own = await ctx.db
      .q()
      .selectFrom('saved_searches')
      .select('id')
      .where('id', '=', input.id)
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    if (!own) return { ok: false, reason: 'gone' };
    const { numUpdatedRows } = await ctx.db
      .q()
      .updateTable('saved_search_matches')
      .set({ seen_at: ctx.now() })
      .where('search_id', '=', own.id)
      .where('seen_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n)
      await publish(ctx, {
        audience: `user:${user.id}`,
        type: 'saved-search.seen',
        payload: { id: own.id },
      });
    return { ok: true, count: Number(numUpdatedRows) };
  });
}
