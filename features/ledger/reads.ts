import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { BALANCES, invariants } from './invariants.ts';
import type { Finding } from './model.ts';
import { mayReadLedger } from './rules.ts';

/** Findings reported per check at most. */
const MAX_FINDINGS_PER_CHECK = 100;

/** The names of all checks. */
export const ledgerChecks = (): string[] => invariants.map(({ check }) => check);

/**
 * Runs all checks on one snapshot of the ledger; an empty list means it is consistent (R4). Reads the whole ledger.
 * @throws Unauthenticated, Forbidden for everyone but administrators and the command line
 */
export async function checkLedger(ctx: Ctx): Promise<Finding[]> {
  authorize(ctx, mayReadLedger);
  // Materialized, so that the limit does not reach the query: for the first hundred findings the planner would compare each sale with
  // each balance, in the hope of finding them soon, and in correct books there are none.
  const checks = invariants.map(
    ({ query }, at) => sql`(with found as materialized (${sql.raw(query)})
      select ${at}::int as at, subject, detail from found limit ${MAX_FINDINGS_PER_CHECK})`,
  );
  // A single statement, so that all checks see the same snapshot.
  const { rows } = await sql<{ at: number; subject: string; detail: string }>`
    with ${sql.raw(BALANCES)} ${sql.join(checks, sql` union all `)} order by at, subject`.execute(ctx.db.q());
  return rows.map(({ at, subject, detail }) => ({ check: invariants[at]?.check ?? '', subject, detail }));
}
