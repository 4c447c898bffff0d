import { sql } from 'kysely';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Ctx } from '../context.ts';
import { jobSeconds } from '../metrics.ts';
import { bossFor } from './boss.ts';
import { DEAD_LETTERS, ensureQueue, queueSettings } from './enqueue.ts';
import type { JobHandler } from './job.ts';
import { wakeWorkersOfDueJobs } from './wake-workers.ts';

/** When a worker looks for jobs of its own accord, in seconds: only in case nothing woke it. */
const WORKER_POLL_SECONDS = 600;

interface JobsOptions {
  /** how often the process looks for due jobs, beside being notified of new ones; also how late a retry may start */
  pollSeconds?: number;
  /** false leaves cron schedules to other processes */
  cron?: boolean;
}

export interface RunningJobs {
  /** Lets running jobs finish for up to `timeoutMs`; unfinished ones are retried later, possibly by another process. */
  stop(timeoutMs?: number): Promise<void>;
}

/**
 * Starts the job workers of this process. Any number of processes may do so; each job runs in one of them. A failed job is
 * retried with growing delays, and after its last retry goes to the dead letter queue.
 * @param context creates the context of a run from its request id
 */
export async function startJobs<Context extends Ctx>(
  context: (requestId: string) => Context,
  handlers: JobHandler<Context>[],
  { pollSeconds = 2, cron = true }: JobsOptions = {},
): Promise<RunningJobs> {
  const { db, log } = context('jobs');
  const boss = bossFor(db);
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  await boss.start();
  await prepareQueues(context('jobs'), handlers);
  if (db.embedded) await releaseOrphans(context('jobs'));
  if (cron) await prepareSchedules(context('jobs'), handlers);
  const workers = new Map<string, string[]>();
  for (const handler of handlers) {
    const ids: string[] = [];
    workers.set(handler.job.name, ids);
    for (let worker = 0; worker < handler.job.concurrency; worker++)
      ids.push(await startWorker(boss, context, handler));
  }
  const endWatch = wakeWorkersOfDueJobs({ db, log }, [...workers.keys()], {
    everySeconds: pollSeconds,
    wake: (queue) => workers.get(queue)?.forEach((worker) => void boss.notifyWorker(worker)),
  });
  return {
    async stop(timeoutMs = 5_000) {
      await Promise.all([endWatch(), boss.stop({ close: false, graceful: true, timeout: timeoutMs })]);
    },
  };
}

/**
 * Has jobs that ran in a process which was killed run again now. The embedded database has one server at a time, so at its start none can
 * be running; elsewhere another process may run them, and only their time limit tells. An attempt counts as one, so a job that kills its
 * process ends as well.
 */
async function releaseOrphans({ db, log }: Ctx): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    update pgboss.job set state = 'retry', start_after = now()
    where state = 'active' and retry_count < retry_limit returning name`.execute(db.q());
  if (rows.length > 0) log.warn({ jobs: rows.map(({ name }) => name) }, 'jobs of a killed process run again');
}

/**
 * A worker that runs jobs of one type sequentially. After each job it fetches again at once, because many jobs added together wake
 * it only once.
 * @returns its id
 */
async function startWorker<Context extends Ctx>(
  boss: PgBoss,
  context: (requestId: string) => Context,
  handler: JobHandler<Context>,
): Promise<string> {
  const { name } = handler.job;
  let worker = '';
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: WORKER_POLL_SECONDS,
    notifyPollingIntervalSeconds: WORKER_POLL_SECONDS,
  } as const;
  worker = await boss.work<object>(name, options, async ([job]) => {
    if (!job) return;
    try {
      await runOne(context(`job:${name}:${job.id}`), handler, job as JobWithMetadata<object>);
    } finally {
      boss.notifyWorker(worker);
    }
  });
  return worker;
}

async function runOne<Context extends Ctx>(
  ctx: Context,
  handler: JobHandler<Context>,
  job: JobWithMetadata<object>,
): Promise<void> {
  const last = job.retryCount >= job.retryLimit;
  const stop = jobSeconds.startTimer({ job: handler.job.name });
  try {
    await handler.run(ctx, job.data ?? {}, { number: job.retryCount + 1, last, signal: job.signal });
    stop({ outcome: 'done' });
  } catch (error) {
    stop({ outcome: last ? 'dead' : 'retry' });
    const facts = { err: error, job: handler.job.name, attempt: job.retryCount + 1 };
    if (last) ctx.log.error(facts, 'job failed for good');
    else ctx.log.warn(facts, 'job failed, will be tried again');
    throw error;
  }
}

/** Creates missing queues and updates changed settings. */
async function prepareQueues({ db }: Ctx, handlers: Pick<JobHandler, 'job'>[]): Promise<void> {
  const boss = bossFor(db);
  const present = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  for (const { job } of handlers) {
    const queue = present.get(job.name);
    await ensureQueue(db, job);
    const { policy: _fixed, ...settings } = queueSettings(job);
    const differs = Object.entries(settings).some(
      ([key, value]) => queue && queue[key as keyof typeof queue] !== value,
    );
    if (differs) await boss.updateQueue(job.name, settings);
  }
}

/** Syncs cron schedules with the handlers: sets changed ones, removes those of jobs that no longer exist. */
async function prepareSchedules({ db }: Ctx, handlers: Pick<JobHandler, 'job'>[]): Promise<void> {
  const boss = bossFor(db);
  const wanted = new Map(handlers.flatMap(({ job }) => (job.cron ? [[job.name, job.cron]] : [])));
  const present = await boss.getSchedules();
  for (const { name } of present) if (!wanted.has(name)) await boss.unschedule(name);
  for (const [name, cron] of wanted) {
    if (present.some((schedule) => schedule.name === name && schedule.cron === cron)) continue;
    await boss.schedule(name, cron, {}, { singletonKey: 'cron' });
  }
}

/** A job that failed permanently. */
export interface DeadLetter {
  id: string;
  job: string;
  data: unknown;
  /** error message of the last attempt */
  reason: string;
  at: Date;
}

/** What waits in a queue although it is due; `oldest` is when the oldest was due (UTC). */
interface WaitingJobs {
  job: string;
  waiting: number;
  oldest: Date;
}

/** The queues in which jobs wait that are due, the longest first. */
export async function readQueues({ db }: Pick<Ctx, 'db'>): Promise<WaitingJobs[]> {
  const { rows } = await sql<WaitingJobs>`
    select name as job, count(*)::integer as waiting, min(start_after) as oldest from pgboss.job
    where name <> ${DEAD_LETTERS} and state < 'active' and start_after <= now()
    group by name order by waiting desc, name`.execute(db.q());
  return rows;
}

/** Permanently failed jobs, newest first: those of one type, or all. */
export async function readDeadLetters(
  { db }: Pick<Ctx, 'db'>,
  limit = 100,
  { job = null, offset = 0 }: { job?: string | null; offset?: number } = {},
): Promise<DeadLetter[]> {
  const { rows } = await sql<DeadLetter>`
    select id, coalesce(source_name, 'unknown') as job, data, coalesce(source_output->>'message', '') as reason,
      created_on as at
    from pgboss.job where name = ${DEAD_LETTERS} and state < 'active'
      and (${job}::text is null or coalesce(source_name, 'unknown') = ${job})
    order by created_on desc, id limit ${limit} offset ${offset}
  `.execute(db.q());
  return rows;
}

/** Moves dead letters back to their queues, all or those with the given ids; returns how many. */
export const retryDeadLetters = ({ db }: Pick<Ctx, 'db'>, ids?: string[]): Promise<number> =>
  bossFor(db).redrive(DEAD_LETTERS, ids && { ids });

/** Removes dead letters in the current transaction; returns those that were there, with what they were to do. */
export async function dropDeadLetters(
  { db }: Pick<Ctx, 'db'>,
  ids: readonly string[],
): Promise<DeadLetter[]> {
  const { rows } = await sql<DeadLetter>`
    delete from pgboss.job where name = ${DEAD_LETTERS} and state < 'active' and id = any(${[...ids]}::uuid[])
    returning id, coalesce(source_name, 'unknown') as job, data, coalesce(source_output->>'message', '') as reason,
      created_on as at`.execute(db.q());
  return rows;
}
