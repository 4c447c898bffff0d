import { sql } from 'kysely';
import { followCauses } from '#features/tasks/commands/follow-causes.ts';
import { waitForJobs } from '#tests/support/database/wait-for-jobs.ts';
import { now } from './change-log.ts';
import { systemContext } from './sales.ts';
import type { TestApp } from './test-app.ts';

/**
 * A point in time after which only requests change anything: the tasks that the scenario gives rise to are open, its jobs are done, and
 * from now on the server adds none of those that it runs by the clock.
 */
export async function nowAtRest({ scenario, db }: TestApp): Promise<string> {
  await sql`delete from pgboss.schedule`.execute(db.q());
  await followCauses(systemContext(scenario));
  await waitForJobs(db);
  return now(db);
}
