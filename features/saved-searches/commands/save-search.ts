import { sql } from 'kysely';
import { buyerFees } from '#features/fees/reads.ts';
import { baseBounds } from '#features/fees/rules.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import { parseCriteria } from '#features/search/model.ts';
import { meaningOf } from '#features/search/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/limits.ts';
import { rowOf } from '../criteria.ts';
import { MOST_SAVED, type SearchFieldErrors, savedSearchLimits } from '../model.ts';
import { maySaveSearches } from '../rules.ts';
import { saveSearchSchema } from '../schema.ts';

export type SaveSearchResult =
  | { ok: true; id: string; already: boolean }
  | { ok: false; reason: 'invalid'; errors: SearchFieldErrors }
  | { ok: false; reason: 'too_many' | 'finds_nothing' };

/**
 * Keeps the criteria of the property list for the signed-in person, at most 50. The same criteria a second time are the
 * search that is there already. Sort and page do not belong to a search; a misspelt word is kept as it was understood.
 * @param input.query the query of the list's address; what is junk in it is ignored, as the list does
 * @throws Unauthenticated, TooManyRequests
 */
export async function saveSearch(
  ctx: Ctx,
  input: { name: unknown; cadence: unknown; query: string },
): Promise<SaveSearchResult> {
  const user = authorizedUser(ctx, maySaveSearches);
  const parsed = saveSearchSchema.safeParse({ name: input.name, cadence: input.cadence });
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: errorsOf(parsed.error.issues) };
  await takeTokens(ctx, savedSearchLimits.save, `user:${user.id}`);
  const params = new URLSearchParams(input.query);
  const [types, fees] = await Promise.all([propertyTypes(ctx), buyerFees(ctx)]);
  const meaning = await meaningOf(ctx, parseCriteria(params, types, baseBounds(fees)));
  if (!meaning) return { ok: false, reason: 'finds_nothing' };
  const criteria = rowOf(parseCriteria(params, types), meaning);
  return ctx.db.tx(async (q) => {
    // One of a person's savings at a time: the count below stays true.
    await q.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
    const kept = q.selectFrom('saved_searches').where('user_id', '=', user.id);
    const { text: _shown, key_word: _key, words, ...same } = criteria;
    const twin = await kept
      .select('id')
      .where((where) => where.and(same))
      .where(sql<boolean>`words = ${words}::text[]`)
      .executeTakeFirst();
    if (twin) return { ok: true, id: twin.id, already: true };
    const { count } = await kept
      .select((select) => select.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (Number(count) >= MOST_SAVED) return { ok: false, reason: 'too_many' };
    const { id } = await q
      .insertInto('saved_searches')
      .values({ ...criteria, ...parsed.data, user_id: user.id, created_at: ctx.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ok: true, id, already: false };
  });
}

/** The first message of each field. */
function errorsOf(issues: readonly { path: PropertyKey[]; message: string }[]): SearchFieldErrors {
  const errors: SearchFieldErrors = {};
  for (const { path, message } of issues) errors[path[0] === 'cadence' ? 'cadence' : 'name'] ??= message;
  return errors;
}
