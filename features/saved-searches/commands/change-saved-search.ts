import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { maySaveSearches } from '../rules.ts';
import { changeSearchSchema } from '../schema.ts';

type ChangeSearchResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; text: string }
  /** it was deleted elsewhere, or was never theirs */
  | { ok: false; reason: 'gone' };

/**
 * Renames one of the user's saved searches, or changes its cadence, also for matches not mailed yet.
 * @throws Unauthenticated
 */
export async function changeSavedSearch(
  ctx: Ctx,
  input: { id: string; name?: unknown; cadence?: unknown },
): Promise<ChangeSearchResult> {
  const user = authorizedUser(ctx, maySaveSearches);
  if (!isUuid(input.id)) return { ok: false, reason: 'gone' };
  const parsed = changeSearchSchema.safeParse({ name: input.name, cadence: input.cadence });
  return ctx.db.tx(async (): Promise<ChangeSearchResult> => {
    const q = ctx.db.q();
    const own = await q
      .selectFrom('saved_searches')
      .select('id')
      .where('id', '=', input.id)
      .where('user_id', '=', user.id)
      .forUpdate()
      .executeTakeFirst();
    if (!own) return { ok: false, reason: 'gone' };
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
