import { sql } from 'kysely';
import { fieldErrors } from '#features/accounts/model.ts';
import { buyerFees } from '#features/fees/reads.ts';
import { baseBounds } from '#features/fees/rules.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import { readArea } from '#features/search/model.ts';
import { meaningOf, readSearchText } from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { toCriteriaRow } from '../criteria.ts';
import { savedSearchLimits } from '../limits.ts';
import { MAX_SAVED_SEARCHES, type SearchFieldErrors } from '../model.ts';
import { maySaveSearches } from '../rules.ts';
import { saveSearchSchema } from '../schema.ts';

type SaveSearchResult =
  | { ok: true; id: string; already: boolean }
  | { ok: false; reason: 'invalid'; errors: SearchFieldErrors }
  | { ok: false; reason: 'too_many' | 'finds_nothing' }
  | { ok: false; reason: 'bad_area'; problem: string };

/**
 * Saves the criteria of the property list for the signed-in user, at most 50. Saving the same criteria again returns
 * the existing search. Sort and page are not saved; a misspelt word is saved as corrected. A drawn area that cannot be read is refused,
 * since the search would notify about properties everywhere.
 * @param input.query the query string of the property list; invalid parts are ignored, as in the list
 * @throws Unauthenticated, TooManyRequests
 */
export async function saveSearch(
  ctx: Ctx,
  input: { name: unknown; cadence: unknown; query: string },
): Promise<SaveSearchResult> {
  const user = authorizedUser(ctx, maySaveSearches);
  const parsed = saveSearchSchema.safeParse({ name: input.name, cadence: input.cadence });
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  await takeTokens(ctx, savedSearchLimits.save, `user:${user.id}`);
  const params = new URLSearchParams(input.query);
  const drawn = params.get('area');
  const reading = drawn ? readArea(drawn) : null;
  if (reading && !reading.ok) return { ok: false, reason: 'bad_area', problem: reading.problem };
  const [types, fees] = await Promise.all([propertyTypes(ctx), buyerFees(ctx)]);
  const typed = await readSearchText(ctx, params, types);
  const meaning = await meaningOf(ctx, parseCriteria(params, types, baseBounds(fees), typed));
  if (!meaning) return { ok: false, reason: 'finds_nothing' };
  const criteria = toCriteriaRow(parseCriteria(params, types, undefined, typed), meaning);
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    // Serialises the saves of one user, so that the count below holds.
    await takeLock(ctx, `saved searches ${user.id}`);
    const ownSearches = q.selectFrom('saved_searches').where('user_id', '=', user.id);
    const { text: _shown, key_word: _key, rest: _rest, words, places, ...same } = criteria;
    const duplicate = await ownSearches
      .select('id')
      .where((where) => where.and(same))
      .where(sql<boolean>`words = ${words}::text[] and places = ${places}::text[]`)
      .executeTakeFirst();
    if (duplicate) return { ok: true, id: duplicate.id, already: true };
    const { count } = await ownSearches
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MAX_SAVED_SEARCHES) return { ok: false, reason: 'too_many' };
    const { id } = await q
      .insertInto('saved_searches')
      .values({ ...criteria, ...parsed.data, user_id: user.id, created_at: ctx.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ok: true, id, already: false };
  });
}
