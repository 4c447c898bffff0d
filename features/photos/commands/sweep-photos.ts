import { sql } from 'kysely';
import type { FileStore } from '#gateways/files/port.ts';
import { deleteImage } from '#gateways/images/store.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import { maySweepPhotos } from '../rules.ts';

const KEPT_HOURS = 24;
const AT_MOST = 500;

export const deleteFilesJob = defineJob<{ imageId: string }>('photos.delete-files');

/**
 * Forgets stored pictures that nothing has shown for a day: uploads that no listing took, photographs that were deleted
 * (B-101). Their files go by a job of each, which is tried again until the store is there.
 * @returns how many were forgotten
 */
export async function sweepPhotos(ctx: Ctx): Promise<number> {
  authorize(ctx, maySweepPhotos);
  const before = new Date(ctx.now().getTime() - KEPT_HOURS * 3_600_000);
  return ctx.db.tx(async (q) => {
    const { rows } = await sql<{ id: string }>`
      delete from stored_images where id in (
        select s.id from stored_images s
        where s.attached_at is null and coalesce(s.let_go_at, s.created_at) < ${before}
          and not exists (select from property_images where image_id = s.id)
          and not exists (select from homepage_content where hero_image_id = s.id)
        order by coalesce(s.let_go_at, s.created_at) limit ${AT_MOST} for update skip locked)
      returning id`.execute(q);
    for (const { id } of rows) await enqueue(ctx, deleteFilesJob, { imageId: id }, { key: id });
    return rows.length;
  });
}

/** Deletes the files of a picture that is forgotten; quiet when they are gone. @throws FileStoreError */
export async function deletePhotoFiles(
  ctx: Ctx,
  input: { imageId: string },
  files: FileStore,
): Promise<void> {
  authorize(ctx, maySweepPhotos);
  await deleteImage(files, input.imageId);
}
