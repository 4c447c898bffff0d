import { sql } from 'kysely';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Ctx } from '../context.ts';
import { jobSeconds } from '../metrics.ts';
import { bossFor } from './boss.ts';
import { DEAD_LETTERS, ensureQueue, queueSettings } from './enqueue.ts';
import type { JobHandler } from './job.ts';

export interface JobsOptions {
  /** the floor under the wake-up by NOTIFY; also how late a retry may start */
  pollSeconds?: number;
  /** false leaves cron schedules to other processes */
  cron?: boolean;
}

export interface RunningJobs {
  /** Lets running jobs finish for up to `timeoutMs`; what is not done then is tried again later, elsewhere. */
  stop(timeoutMs?: number): Promise<void>;
}

/**
 * Starts working in this process. Any number of processes may; each job runs in one of them. A job that fails is
 * tried again with growing waits, and after its last retry a copy lands in the dead letters.
 * @param context makes the context of a run from its request id
 */
export async function startJobs(
  context: (requestId: string) => Ctx,
  handlers: JobHandler[],
  { pollSeconds = 10, cron = true }: JobsOptions = {},
): Promise<RunningJobs> {
  const { db, log } = context('jobs');
  const boss = bossFor(db);
  boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  await boss.start();
  await prepareQueues(context('jobs'), handlers);
  if (cron) await prepareSchedules(context('jobs'), handlers);
  for (const handler of handlers)
    for (let lane = 0; lane < handler.job.concurrency; lane++)
      await openLane(boss, context, handler, pollSeconds);
  return { stop: (timeoutMs = 5_000) => boss.stop({ close: false, graceful: true, timeout: timeoutMs }) };
}

/**
 * One job of a kind after the other. Having done one, it looks for the next without a pause: many jobs added together
 * wake it once.
 */
async function openLane(
  boss: PgBoss,
  context: (requestId: string) => Ctx,
  handler: JobHandler,
  pollSeconds: number,
): Promise<void> {
  const { name } = handler.job;
  let lane = '';
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
  } as const;
  lane = await boss.work<object>(name, options, async ([job]) => {
    if (!job) return;
    try {
      await runOne(context(`job:${name}:${job.id}`), handler, job as JobWithMetadata<object>);
    } finally {
      boss.notifyWorker(lane);
    }
  });
}

async function runOne(ctx: Ctx, handler: JobHandler, job: JobWithMetadata<object>): Promise<void> {
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

/** Queues exist and have the settings of this build. */
async function prepareQueues({ db }: Ctx, handlers: JobHandler[]): Promise<void> {
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

/** Schedules are those of this build: changed ones are set, those of jobs that are gone are dropped. */
async function prepareSchedules({ db }: Ctx, handlers: JobHandler[]): Promise<void> {
  const boss = bossFor(db);
  const wanted = new Map(handlers.flatMap(({ job }) => (job.cron ? [[job.name, job.cron]] : [])));
  const present = await boss.getSchedules();
  for (const { name } of present) if (!wanted.has(name)) await boss.unschedule(name);
  for (const [name, cron] of wanted) {
    if (present.some((schedule) => schedule.name === name && schedule.cron === cron)) continue;
    await boss.schedule(name, cron, {}, { singletonKey: 'cron' });
  }
}

/** A job that failed for good. */
export interface DeadLetter {
  id: string;
  job: string;
  data: unknown;
  /** what the last attempt threw */
  reason: string;
  at: Date;
}

/** What failed for good, newest first. */
export async function readDeadLetters({ db }: Pick<Ctx, 'db'>, limit = 100): Promise<DeadLetter[]> {
  const { rows } = await sql<DeadLetter>`
    select id, source_name as job, data, coalesce(source_output->>'message', '') as reason, created_on as at
    from pgboss.job where name = ${DEAD_LETTERS} and state < 'active' order by created_on desc limit ${limit}
  `.execute(db.q());
  return rows;
}

/** Puts dead letters back into their queues, all or those with the given ids; returns how many. */
export const retryDeadLetters = ({ db }: Pick<Ctx, 'db'>, ids?: string[]): Promise<number> =>
  bossFor(db).redrive(DEAD_LETTERS, ids && { ids });
