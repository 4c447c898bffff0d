import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isId, maySaveSearches } from '../rules.ts';

/**
 * Deletes one of the person's own saved searches with what it found.
 * @throws Unauthenticated; NotFound for a search that is gone or somebody else's
 */
export async function deleteSavedSearch(ctx: Ctx, input: { id: string }): Promise<void> {
  const user = authorizedUser(ctx, maySaveSearches);
  const gone = isId(input.id)
    ? await ctx.db
        .q()
        .deleteFrom('saved_searches')
        .where('id', '=', input.id)
        .where('user_id', '=', user.id)
        .returning('id')
        .executeTakeFirst()
    : undefined;
  if (!gone) throw new NotFound('Saved search not found');
}
