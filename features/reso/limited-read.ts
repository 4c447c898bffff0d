import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { Query } from '#platform/db/database.ts';
import { hasErrorCode } from '#platform/errors.ts';
import { MAX_QUERY_MS, ODataError } from './model.ts';

/** What PostgreSQL says when a statement was stopped at its time limit. */
const CANCELLED = '57014';

/**
 * Reads in a transaction that cannot write and in which no statement works for more than five seconds: no question of another system
 * may keep the market waiting.
 * @throws ODataError for a question that takes longer
 */
export async function limitedRead<Result>(
  ctx: Ctx,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  try {
    return await ctx.db
      .replica()
      .transaction()
      .setAccessMode('read only')
      .execute(async (transaction) => {
        await sql`select set_config('statement_timeout', ${String(MAX_QUERY_MS)}, true)`.execute(transaction);
        return work(transaction);
      });
  } catch (error) {
    if (!hasErrorCode(error, CANCELLED)) throw error;
    throw new ODataError(
      'TooExpensive',
      'This request takes too long. Narrow it, for example by ModificationTimestamp, City or StandardStatus, or leave out the order.',
      { target: '$filter' },
    );
  }
}
