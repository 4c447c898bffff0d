import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isId, maySaveSearches } from '../rules.ts';

/**
 * Takes the mark 'new' from what one of the person's own searches found.
 * @returns how many were new
 * @throws Unauthenticated; NotFound for a search that is gone or somebody else's
 */
export async function markMatchesSeen(ctx: Ctx, input: { id: string }): Promise<number> {
  const user = authorizedUser(ctx, maySaveSearches);
  if (!isId(input.id)) throw new NotFound('Saved search not found');
  return ctx.db.tx(async (q) => {
    const own = await q
      .selectFrom('saved_searches')
      .select('id')
      .where('id', '=', input.id)
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    if (!own) throw new NotFound('Saved search not found');
    const { numUpdatedRows } = await q
      .updateTable('saved_search_matches')
      .set({ seen_at: ctx.now() })
      .where('search_id', '=', own.id)
      .where('seen_at', 'is', null)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  });
}
