import { sql } from 'kysely';
import { MAX_PHOTOS } from '#features/photos/model.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { fetchPhotosJob } from './queues.ts';
import { MAX_URL_LENGTH, remotePhotoMessages } from './rules.ts';

interface PhotoAddresses {
  propertyId: string;
  /** the main photo first */
  urls: readonly string[];
}

/**
 * Queues photos by their addresses; one that a listing had before is not fetched again, unless it was still waiting when its import was
 * undone. Addresses that cannot be stored are left out, and so are those beyond the number of photos of a listing, and photos of this
 * marketplace, as its exports name them. Runs in the transaction that writes the listings; the caller has authorised it.
 * @returns the listings of those that are to be fetched, once for each photo
 */
export async function queueRemotePhotos(
  ctx: Ctx,
  { rows, importId = null }: { rows: readonly PhotoAddresses[]; importId?: string | null },
): Promise<string[]> {
  const own = `${ctx.config.publicUrl}/media/images/`;
  const photos = rows.flatMap(({ propertyId, urls }) =>
    [...new Set(urls.map((url) => url.trim()))]
      .filter((url) => url !== '' && url.length <= MAX_URL_LENGTH && !url.startsWith(own))
      .slice(0, MAX_PHOTOS)
      .map((url, position) => ({ propertyId, url, position })),
  );
  if (photos.length === 0) return [];
  const named = sql`unnest(${photos.map(({ propertyId }) => propertyId)}::uuid[], ${photos.map(({ url }) => url)}::text[],
      ${photos.map(({ position }) => position)}::smallint[]) as v (property_id, url, position)`;
  await sql`
    delete from remote_photos r using ${named}
    where r.property_id = v.property_id and r.url = v.url
      and r.status = 'skipped' and r.reason = ${remotePhotoMessages.undone}
      and not exists (select from property_images f where f.upload_key = r.id)`.execute(ctx.db.q());
  const { rows: queued } = await sql<{ property_id: string }>`
    insert into remote_photos (property_id, import_id, url, position, due_at, created_at, updated_at)
    select v.property_id, ${importId}::uuid, v.url, v.position, ${ctx.now()}, ${ctx.now()}, ${ctx.now()}
    from ${named}
    on conflict (property_id, url) do nothing returning property_id`.execute(ctx.db.q());
  await enqueue(ctx, fetchPhotosJob, {}, { key: 'all' });
  return queued.map(({ property_id }) => property_id);
}
