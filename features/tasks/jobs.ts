import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { followCauses } from './commands/follow-causes.ts';
import { followDisputeDeadlines } from './commands/follow-dispute-deadlines.ts';

const follow = defineJob('tasks.follow', { cron: '* * * * *', retries: 0 });

export const taskJobs: JobHandler[] = [
  handle(follow, async (ctx) => {
    await followCauses(ctx);
    await followDisputeDeadlines(ctx);
  }),
];
