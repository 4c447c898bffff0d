import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { publish } from '#platform/events/events.ts';
import { isUuid } from '#platform/uuid.ts';
import { maySaveSearches } from '../rules.ts';

/**
 * Marks all matches of one of the user's searches as seen, and tells the user's other pages.
 * @returns how many were new
 * @throws Unauthenticated; NotFound for a search that was deleted or is somebody else's
 */
export async function markMatchesSeen(ctx: Ctx, input: { id: string }): Promise<number> {
  const user = authorizedUser(ctx, maySaveSearches);
  if (!isUuid(input.id)) throw new NotFound('Saved search not found');
  return ctx.db.tx(async () => {
    const own = await ctx.db
      .q()
      .selectFrom('saved_searches')
      .select('id')
      .where('id', '=', input.id)
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    if (!own) throw new NotFound('Saved search not found');
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
    return Number(numUpdatedRows);
  });
}
