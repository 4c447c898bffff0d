import { createHash } from 'node:crypto';
import type { FileStore } from '../files/port.ts';
import type { ProcessedImage } from './port.ts';
import { imageKey } from './sources.ts';

/** Their content never changes, but deleted ones should not live on in caches for more than a day. */
const CACHE_CONTROL = 'public, max-age=86400';

/**
 * Writes all renditions as `images/<id>/<width>.<format>`. A new picture gets a new id, so files never change; repeating
 * the call with the same picture is harmless.
 *
 * @throws FileStoreError
 */
export async function storeImage(files: FileStore, id: string, { variants }: ProcessedImage): Promise<void> {
  for (const { width, format, bytes } of variants)
    await files.put({
      key: imageKey(id, width, format),
      body: bytes,
      contentType: `image/${format}`,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      cacheControl: CACHE_CONTROL,
    });
}

/** Deletes every rendition of a picture, if any. @throws FileStoreError */
export async function deleteImage(files: FileStore, id: string): Promise<void> {
  const { keys } = await files.list(`images/${id}/`);
  for (const key of keys) await files.delete(key);
}
