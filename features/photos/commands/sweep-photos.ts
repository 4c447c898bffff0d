import { sql } from 'kysely';
import { deleteImage } from '#gateways/images/store.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { deleteFilesJob } from '../jobs.ts';
import { maySweepPhotos } from '../rules.ts';

const RETENTION = DAY;
/** Pictures of one transaction. */
const BATCH_SIZE = 500;

/**
 * Deletes stored pictures that nothing shows: deleted photographs at once, since anyone may know their address, and uploads that
 * were never used after a day. Each picture's files are deleted by a job of their own, which is retried while the file store is unavailable.
 * @returns the number of pictures deleted
 */
export async function sweepPhotos(ctx: Ctx, { signal }: { signal?: AbortSignal } = {}): Promise<number> {
  authorize(ctx, maySweepPhotos);
  let swept = 0;
  for (let batch = BATCH_SIZE; batch === BATCH_SIZE && !signal?.aborted; swept += batch)
    batch = await sweepBatch(ctx);
  return swept;
}

function sweepBatch(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.now().getTime() - RETENTION);
  return ctx.db.tx(async () => {
    const { rows } = await sql<{ id: string }>`
      delete from stored_images where id in (
        select s.id from stored_images s
        where s.attached_at is null and (s.let_go_at is not null or s.created_at < ${before})
          and not exists (select from property_images where image_id = s.id)
          and not exists (select from homepage_content where hero_image_id = s.id)
        order by coalesce(s.let_go_at, s.created_at) limit ${BATCH_SIZE} for update skip locked)
      returning id`.execute(ctx.db.q());
    for (const { id } of rows) await enqueue(ctx, deleteFilesJob, { imageId: id }, { key: id });
    return rows.length;
  });
}

/**
 * Deletes the files of a picture; succeeds if they are already gone.
 * @throws FileStoreError
 */
export async function deletePhotoFiles(ctx: CtxWith<'files'>, input: { imageId: string }): Promise<void> {
  authorize(ctx, maySweepPhotos);
  await deleteImage(ctx.files, input.imageId);
}
