import { deletePhotoFiles, sweepPhotos } from '#features/photos/commands/sweep-photos.ts';
import { deleteFilesJob, sweepJob } from '#features/photos/jobs.ts';
import { incomingFolder, removeStaleUploads } from '#gateways/files/uploads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { HOUR } from '#platform/durations.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';

/** Deletes unreferenced photos and leftovers of interrupted uploads. */
export const photoJobs: JobHandler<CtxWith<'files'>>[] = [
  handle(sweepJob, async (ctx, _, { signal }) => {
    await sweepPhotos(ctx, { signal });
    await removeStaleUploads(incomingFolder(ctx.config), new Date(ctx.now().getTime() - HOUR));
  }),
  handle(deleteFilesJob, deletePhotoFiles),
];
