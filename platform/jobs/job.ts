import type { Ctx } from '../context.ts';

/** A type of background job with its own queue. `Data` is JSON. */
export interface Job<Data extends object = object> {
  /** as `noun.verb`; the queue name, which must not change while jobs wait in it */
  readonly name: string;
  /** attempts after the first; a job with a schedule has at least one, in case its process is stopped meanwhile */
  readonly retries: number;
  /** delay before the first retry; doubles with each further one, up to an hour */
  readonly retryDelaySeconds: number;
  /** after this time an attempt counts as lost */
  readonly expireSeconds: number;
  /** how many run concurrently in one process */
  readonly concurrency: number;
  /** deduplication by key: no job is added while one with the same key waits (`waiting`), or waits or runs (`live`) */
  readonly uniqueWhile: 'waiting' | 'live';
  /** cron schedule (five fields, UTC) on which the job is added with empty data */
  readonly cron: string | null;
  /** phantom type parameter */
  readonly data?: Data;
}

/** Retries of a job that waits out what is away for more than a day, since nothing makes up for it: the delays double up to an hour. */
export const RETRIES_FOR_A_DAY = 40;

type JobOptions = Partial<Omit<Job, 'name' | 'data'>>;

/** Defines a job type. Defaults: 5 retries starting at 10 s, 5 minutes per attempt, one at a time. */
export function defineJob<Data extends object>(name: string, options: JobOptions = {}): Job<Data> {
  return {
    name,
    retries: 5,
    retryDelaySeconds: 10,
    expireSeconds: 300,
    concurrency: 1,
    uniqueWhile: 'waiting',
    cron: null,
    ...options,
  };
}

/** One attempt at a job. */
export interface Attempt {
  /** starts at 1 */
  number: number;
  /** true when a failure sends the job to the dead letter queue */
  last: boolean;
  /** aborted when the attempt times out */
  signal: AbortSignal;
}

type Run<Context, Data> = (ctx: Context, data: Data, attempt: Attempt) => Promise<void>;

/** `Context` is what a run needs of its context: the ports it uses, beside what every context has. */
export interface JobHandler<in Context extends Ctx = Ctx> {
  job: Job;
  run: Run<Context, object>;
}

/** Attaches a handler to a job type. `run` may be repeated, so it must be idempotent. */
export const handle = <Data extends object, Context extends Ctx = Ctx>(
  job: Job<Data>,
  run: Run<Context, Data>,
): JobHandler<Context> => ({
  job,
  run: run as Run<Context, object>,
});
