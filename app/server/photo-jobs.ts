import { incomingFolder } from '#app/routes/api/photos.ts';
import { deleteFilesJob, deletePhotoFiles, sweepPhotos } from '#features/photos/commands/sweep-photos.ts';
import { sweepIncoming } from '#gateways/files/incoming.ts';
import { defineJob, handle, type JobHandler } from '#platform/jobs/job.ts';
import type { Services } from './services.ts';

const HOUR_MS = 3_600_000;
const sweep = defineJob('photos.sweep', { cron: '23 * * * *', retries: 0 });

/** Stored pictures that nothing shows, and what an ended process left of uploads. The next run makes up for a failed one. */
export const photoJobs = ({ files }: Pick<Services, 'files'>): JobHandler[] => [
  handle(sweep, async (ctx) => {
    await sweepPhotos(ctx);
    await sweepIncoming(incomingFolder(ctx.config), new Date(ctx.now().getTime() - HOUR_MS));
  }),
  handle(deleteFilesJob, (ctx, data) => deletePhotoFiles(ctx, data, files)),
];
