import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import { DEAD_LETTERS } from '#platform/jobs/enqueue.ts';

/** Queues without a worker: dead letters, and the sandbox's where it is switched off. */
const IGNORED_QUEUES = [DEAD_LETTERS, 'sandbox.deliver'];

/**
 * Waits until a server has done the jobs that are due, so that any later change is caused by what comes next.
 * @throws Error when it has not after a minute
 */
export async function waitForJobs(db: Database): Promise<void> {
  const open = sql<{ open: number }>`select (select count(*) from listing_arrivals)::int
    + (select count(*) from pgboss.job where state in ('created', 'retry', 'active')
        and start_after <= now() and name <> all(${IGNORED_QUEUES}::text[]))::int as open`;
  for (const deadline = Date.now() + 60_000; ; await wait(50)) {
    const { rows } = await open.execute(db.q());
    if (rows[0]?.open === 0) return;
    if (Date.now() > deadline) throw new Error(`${rows[0]?.open} jobs are still not done`);
  }
}
