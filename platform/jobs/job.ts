import type { Ctx } from '../context.ts';

/** A kind of background work, known by its queue. `Data` is JSON. */
export interface Job<Data extends object = object> {
  /** as `noun.verb`; names the queue and must never change while jobs wait in it */
  readonly name: string;
  /** attempts after the first one */
  readonly retries: number;
  /** wait before the first retry; doubles with each further one up to an hour */
  readonly retryDelaySeconds: number;
  /** after this time an attempt counts as lost, with the process that ran it */
  readonly expireSeconds: number;
  /** how many run at once in one process */
  readonly concurrency: number;
  /** while a job with the same key waits (`waiting`), or waits or runs (`live`), another one is not added */
  readonly once: 'waiting' | 'live';
  /** five cron fields, UTC: the job is added by the clock, with empty data */
  readonly cron: string | null;
  /** phantom: carries the type of the data */
  readonly data?: Data;
}

type Choices = Partial<Omit<Job, 'name' | 'data'>>;

/** Declares a kind of job; what is not said gets 5 retries from 10 s on, 5 minutes an attempt, one at a time. */
export function defineJob<Data extends object>(name: string, choices: Choices = {}): Job<Data> {
  return {
    name,
    retries: 5,
    retryDelaySeconds: 10,
    expireSeconds: 300,
    concurrency: 1,
    once: 'waiting',
    cron: null,
    ...choices,
  };
}

/** One try at a job. */
export interface Attempt {
  /** 1 for the first */
  number: number;
  /** true when a failure now sends the job to the dead letters */
  last: boolean;
  /** aborted when the attempt's time is over */
  signal: AbortSignal;
}

type Run<Data> = (ctx: Ctx, data: Data, attempt: Attempt) => Promise<void>;

export interface JobHandler {
  job: Job;
  run: Run<object>;
}

/** Joins a job with what does it. `run` may be repeated: it must leave the same state when it ran before. */
export const handle = <Data extends object>(job: Job<Data>, run: Run<Data>): JobHandler => ({
  job: job as Job,
  run: run as Run<object>,
});
