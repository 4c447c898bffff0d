import { stat } from 'node:fs/promises';
import { type UploadedFile, UploadTooLarge } from '#gateways/files/uploads.ts';
import { processInWorker } from '#gateways/images/image-worker.ts';
import { MAX_IMAGE_BYTES } from '#gateways/images/limits.ts';
import type { ImageLimits, ProcessedImage } from '#gateways/images/port.ts';
import { imageTooLargeError } from '#gateways/images/refusals.ts';
import { variantWidths } from '#gateways/images/sources.ts';
import { storeImage } from '#gateways/images/store.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { UserActor } from '#platform/context.ts';

/** A picture in all its sizes, with the bytes of the upload that it was made from. */
interface ReceivedImage {
  image: ProcessedImage;
  bytes: number;
}

/**
 * Receives an upload and makes the renditions of it; nothing is kept of the file itself.
 * @param receive starts receiving the file, of at most `limits.maxBytes` bytes
 * @throws ImageRefused, UploadAborted
 */
export async function receiveImage(
  receive: () => Promise<UploadedFile>,
  limits?: ImageLimits,
): Promise<ReceivedImage> {
  const file = await receive().catch((error: unknown) => {
    throw error instanceof UploadTooLarge ? imageTooLargeError(limits?.maxBytes ?? MAX_IMAGE_BYTES) : error;
  });
  try {
    const [image, { size }] = await Promise.all([processInWorker(file.path, limits), stat(file.path)]);
    return { image, bytes: size };
  } finally {
    await file.remove();
  }
}

/**
 * Stores a picture that nothing shows yet; the sweep deletes it after a day unless something does by then. Inserts the row
 * before writing the files, so that the sweep finds the files of a failed upload.
 * @param user who uploaded it; null for a job
 * @returns its id
 * @throws FileStoreError
 */
export async function saveImage(
  ctx: CtxWith<'files'>,
  user: Pick<UserActor, 'id'> | null,
  { image, bytes }: ReceivedImage,
): Promise<string> {
  const { width, height, placeholder, sha256 } = image;
  const { id } = await ctx.db
    .q()
    .insertInto('stored_images')
    .values({
      width,
      height,
      widths: variantWidths(image),
      placeholder,
      sha256,
      byte_size: bytes,
      uploaded_by: user?.id ?? null,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeImage(ctx.files, id, image);
  return id;
}
