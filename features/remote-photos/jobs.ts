import type { CtxWith } from '#gateways/ports.ts';
import type { RemotePictures } from '#gateways/remote-pictures/port.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { fetchPhotos } from './commands/fetch-photos.ts';
import { fetchPhotosJob } from './queues.ts';

/** The job that fetches photos by address. */
export const remotePhotoJobs = (pictures: RemotePictures): JobHandler<CtxWith<'files'>>[] => [
  handle(fetchPhotosJob, async (ctx: CtxWith<'files'>, _, { signal }) => {
    await fetchPhotos(ctx, { pictures, signal });
  }),
];
