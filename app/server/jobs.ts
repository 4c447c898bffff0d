import { refreshSearchStatistics } from '#features/search/commands/refresh-search-statistics.ts';
import { tendDatabase } from '#platform/db/tend.ts';
import { sweepEvents } from '#platform/events/events.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import { sweepLimits } from '#platform/limits.ts';
import { deliverMail, sweepMail } from '#platform/outbox/outbox.ts';
import { activityJobs } from './activity-jobs.ts';
import { paymentJobs } from './payment-jobs.ts';
import { photoJobs } from './photo-jobs.ts';
import { savedSearchJobs } from './saved-search-jobs.ts';
import type { Services } from './services.ts';

const refreshSearch = handle(defineJob('search.refresh', { cron: '41 * * * *' }), refreshSearchStatistics);

/** Everything that this process does in the background. */
export const jobHandlers = (
  services: Pick<Services, 'mailer' | 'payments' | 'config' | 'files'>,
): JobHandler[] => [
  deliverMail((mail) => services.mailer.send(mail)),
  sweepMail,
  sweepEvents,
  sweepLimits,
  tendDatabase,
  refreshSearch,
  ...activityJobs,
  ...paymentJobs(services),
  ...photoJobs(services),
  ...savedSearchJobs,
];
