import { queuePlaces } from '#features/listing-geocoding/queue-places.ts';
import type { ImportBatch } from '#features/listing-import/model.ts';
import { queueRemotePhotos } from '#features/remote-photos/queue-photos.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * Queues what the server does in the background after a batch of an import: the places of listings without coordinates are looked up, and
 * photographs that rows name by their addresses are fetched. Runs in the transaction of the batch.
 * @param importId of an import in the browser, whose progress they are part of; null for the command line
 * @returns how many of each, and the listings that photos are fetched for
 */
export async function queueFollowUps(
  ctx: Ctx,
  batch: ImportBatch,
  importId: string | null,
): Promise<{ places: number; photos: number; pictured: ReadonlySet<string> }> {
  const written = batch.rows.filter(({ outcome }) => outcome !== 'unchanged');
  const places = await queuePlaces(ctx, {
    propertyIds: written.map(({ propertyId }) => propertyId),
    importId,
  });
  const photos = await queueRemotePhotos(ctx, {
    rows: batch.rows.map(({ propertyId, photoUrls }) => ({ propertyId, urls: photoUrls })),
    importId,
  });
  return { places, photos: photos.length, pictured: new Set(photos) };
}
