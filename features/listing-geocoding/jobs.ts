import type { CtxWith } from '#gateways/ports.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { findPlaces } from './commands/find-places.ts';
import { findPlacesJob } from './queues.ts';

export const listingPlaceJobs: JobHandler<CtxWith<'geocoder'>>[] = [
  handle(findPlacesJob, (ctx: CtxWith<'geocoder'>, _, { signal }) =>
    findPlaces(ctx, { signal }).then(() => undefined),
  ),
];
