import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { maySaveSearches } from '../rules.ts';
import { changeSearchSchema } from '../schema.ts';

export type ChangeSearchResult = { ok: true } | { ok: false; reason: 'invalid'; text: string };

/**
 * Renames one of the user's saved searches, or changes its cadence, also for matches not mailed yet.
 * @throws Unauthenticated; NotFound for a search that was deleted or is somebody else's
 */
export async function changeSavedSearch(
  ctx: Ctx,
  input: { id: string; name?: unknown; cadence?: unknown },
): Promise<ChangeSearchResult> {
  const user = authorizedUser(ctx, maySaveSearches);
  if (!isUuid(input.id)) throw new NotFound('Saved search not found');
  const parsed = changeSearchSchema.safeParse({ name: input.name, cadence: input.cadence });
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    const own = await q
      .selectFrom('saved_searches')
      .select('id')
      .where('id', '=', input.id)
      .where('user_id', '=', user.id)
      .forUpdate()
      .executeTakeFirst();
    if (!own) throw new NotFound('Saved search not found');
    if (!parsed.success) return { ok: false, reason: 'invalid', text: parsed.error.issues[0]?.message ?? '' };
    const { name, cadence } = parsed.data;
    const change = { ...(name !== undefined && { name }), ...(cadence !== undefined && { cadence }) };
    if (Object.keys(change).length > 0)
      await q.updateTable('saved_searches').set(change).where('id', '=', own.id).execute();
    if (cadence !== undefined)
      await q
        .updateTable('saved_search_matches')
        .set({ mail: cadence })
        .where('search_id', '=', own.id)
        .where('mail', 'in', ['instant', 'daily'])
        .execute();
    return { ok: true };
  });
}
