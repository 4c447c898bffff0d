import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Queue } from 'pg-boss';
import type { Ctx } from '../context.ts';
import type { Database } from '../db/database.ts';
import { bossFor } from './boss.ts';
import type { Job } from './job.ts';

/** The queue of jobs whose last retry failed. */
export const DEAD_LETTERS = 'dead.letters';

const deadLetterQueue: Omit<Queue, 'name'> = { policy: 'standard', retentionSeconds: 90 * 86_400 };
const known = new WeakMap<Database['pool'], Set<string>>();

/**
 * Adds a job in the current transaction: it exists only if the transaction commits, and then starts within milliseconds.
 * With a `key`, nothing is added while there is already a job with that key (see `Job.once`).
 * @returns false when there was one
 */
export async function enqueue<Data extends object>(
  ctx: Pick<Ctx, 'db'>,
  job: Job<Data>,
  data: Data,
  { key, after }: { key?: string; after?: Date } = {},
): Promise<boolean> {
  await ensureQueue(ctx.db, job);
  // Under the queue's policy, jobs without a key would exclude each other.
  const singletonKey = key ?? randomUUID();
  const id = await bossFor(ctx.db).send(job.name, data, {
    singletonKey,
    ...(after && { startAfter: after }),
  });
  return id !== null;
}

/** The queue settings of a job type. */
export const queueSettings = (job: Job): Omit<Queue, 'name'> => ({
  policy: job.uniqueWhile === 'live' ? 'exclusive' : 'short',
  notify: true,
  deadLetter: DEAD_LETTERS,
  // A process that is stopped or killed uses up an attempt, which is no failure of a job that the schedule runs again anyway.
  retryLimit: job.cron === null ? job.retries : Math.max(1, job.retries),
  retryDelay: job.retryDelaySeconds,
  retryBackoff: true,
  retryDelayMax: 3_600,
  expireInSeconds: job.expireSeconds,
  deleteAfterSeconds: 86_400,
});

/**
 * Creates the job's queue if missing. Uses pg-boss's SQL function rather than its API, whose statement ends with COMMIT and
 * would end the caller's transaction.
 */
export async function ensureQueue(db: Database, job: Job): Promise<void> {
  const queues = known.get(db.pool) ?? new Set<string>();
  known.set(db.pool, queues);
  if (queues.has(job.name)) return;
  const create = (name: string, settings: Omit<Queue, 'name'>) =>
    sql`select pgboss.create_queue(${name}, ${JSON.stringify(settings)}::jsonb)`.execute(db.q());
  await create(DEAD_LETTERS, deadLetterQueue);
  await create(job.name, queueSettings(job));
  db.afterCommit(() => queues.add(job.name));
}
