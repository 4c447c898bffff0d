import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { maySaveSearches } from '../rules.ts';

/**
 * Marks the matches of all of the user's searches as seen, and tells their other pages.
 * @returns how many were new
 * @throws Unauthenticated
 */
export async function markAllMatchesSeen(ctx: Ctx): Promise<number> {
  const user = authorizedUser(ctx, maySaveSearches);
  return ctx.db.tx(async () => {
    const { numUpdatedRows } = await ctx.db
      .q()
      .updateTable('saved_search_matches')
      .set({ seen_at: ctx.now() })
      .where('seen_at', 'is', null)
      .where('search_id', 'in', (own) =>
        own.selectFrom('saved_searches').select('id').where('user_id', '=', user.id),
      )
      .executeTakeFirst();
    if (numUpdatedRows > 0n)
      await publish(ctx, { audience: `user:${user.id}`, type: 'saved-search.seen', payload: { id: null } });
    return Number(numUpdatedRows);
  });
}
