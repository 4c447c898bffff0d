import { toCriteriaRow } from '#features/saved-searches/criteria.ts';
import { parseCriteria } from '#features/search/rules.ts';
import type { Scenario } from './scenario.ts';

/** The columns of a saved search that finds everything, apart from whose it is and its name. */
const anySearch = {
  ...toCriteriaRow(parseCriteria(new URLSearchParams(), []), {
    words: [],
    shown: [],
    places: [],
    placeKey: null,
    whole: [],
    reading: 'beginnings',
    rarest: null,
  }),
  cadence: 'daily',
  created_at: new Date(),
} as const;

/** A search that buyer A saved, the only one. */
export async function savedSearchOfA({ db, cast }: Scenario, name: string): Promise<{ id: string }> {
  await db.q().deleteFrom('saved_searches').where('user_id', '=', cast.buyerA.id).execute();
  return db
    .q()
    .insertInto('saved_searches')
    .values({ ...anySearch, user_id: cast.buyerA.id, name })
    .returning('id')
    .executeTakeFirstOrThrow();
}
