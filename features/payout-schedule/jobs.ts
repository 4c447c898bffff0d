import type { CtxWith } from '#gateways/ports.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { runPayoutSchedule } from './commands/run-schedule.ts';

/** Every minute: what is due is paid soon after, also when the server was stopped at the time. */
const runSchedule = defineJob('payouts.schedule', { cron: '* * * * *', retries: 0 });

/** The job that pays sellers without an administrator. */
export const payoutScheduleJobs: JobHandler<CtxWith<'payouts'>>[] = [
  handle(runSchedule, (ctx: CtxWith<'payouts'>) => runPayoutSchedule(ctx)),
];
