import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { maySaveSearches } from '../rules.ts';

/** `gone`: it was deleted elsewhere, or was never theirs. */
type DeleteSearchResult = { ok: true } | { ok: false; reason: 'gone' };

/**
 * Deletes one of the user's saved searches with its matches.
 * @throws Unauthenticated
 */
export async function deleteSavedSearch(ctx: Ctx, input: { id: string }): Promise<DeleteSearchResult> {
  const user = authorizedUser(ctx, maySaveSearches);
  const deleted = isUuid(input.id)
    ? await ctx.db
        .q()
        .deleteFrom('saved_searches')
        .where('id', '=', input.id)
        .where('user_id', '=', user.id)
        .returning('id')
        .executeTakeFirst()
    : undefined;
  return deleted ? { ok: true } : { ok: false, reason: 'gone' };
}
