import { expect, test } from 'vitest';
import { deleteFileJob } from '#features/documents/delete-file-job.ts';
import { deleteFilesJob } from '#features/photos/jobs.ts';
import { DAY, SECOND } from '#platform/durations.ts';
import { queueSettings } from '#platform/jobs/enqueue.ts';

test.each([deleteFilesJob, deleteFileJob])('$name outlasts a file store that is away for a day', (job) => {
  const { retryLimit = 0, retryDelay = 0, retryDelayMax = 0 } = queueSettings(job);
  let waited = 0;
  for (let retry = 0; retry < retryLimit; retry += 1)
    waited += Math.min(retryDelayMax, retryDelay * 2 ** retry) * SECOND;
  expect(waited).toBeGreaterThan(DAY);
});
