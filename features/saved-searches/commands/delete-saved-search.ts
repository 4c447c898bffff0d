import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { maySaveSearches } from '../rules.ts';

/**
 * Deletes one of the user's saved searches with its matches.
 * @throws Unauthenticated; NotFound for a search that was deleted or is somebody else's
 */
export async function deleteSavedSearch(ctx: Ctx, input: { id: string }): Promise<void> {
  const user = authorizedUser(ctx, maySaveSearches);
  const gone = isUuid(input.id)
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
