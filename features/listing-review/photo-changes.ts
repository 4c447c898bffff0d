import { sql } from 'kysely';
import type { ListingPicture } from '#features/listings/model.ts';
import { pictureFields } from '#features/listings/sql.ts';
import type { Ctx } from '#platform/context.ts';
import type { PhotoChanges } from './model.ts';

interface Done {
  action: string;
  /** the photo that it was done to; null for an order */
  photo: string | null;
  /** what came first in a new order */
  first: string | null;
}

interface Photo {
  id: string;
  picture: ListingPicture;
}

/**
 * What was done to the photos of a listing since a time; null for nothing. Of those that were removed only the number is known, since
 * their files are deleted.
 */
export async function photoChangesSince(ctx: Ctx, id: string, since: Date): Promise<PhotoChanges | null> {
  const [{ rows: done }, { rows: photos }] = await Promise.all([
    sql<Done>`
      select action, coalesce(after ->> 'photo', after ->> 'main') as photo, after -> 'order' ->> 0 as first
      from audit_log where entity = 'property' and entity_id = ${id} and at > ${since} and action like 'photo.%'
      order by id`.execute(ctx.db.q()),
    sql<Photo>`
      select i.id, json_build_object(${pictureFields}) as picture
      from property_images i join stored_images s on s.id = i.image_id where i.property_id = ${id}
      order by i.is_main desc, i.position, i.id`.execute(ctx.db.q()),
  ]);
  if (done.length === 0) return null;
  const touched = (action: string) =>
    new Set(done.flatMap((one) => (one.action === action && one.photo ? [one.photo] : [])));
  const added = touched('photo.add');
  const described = touched('photo.describe');
  const chosen = touched('photo.main');
  return {
    removed: [...touched('photo.delete')].filter((photo) => !added.has(photo)).length,
    reordered: done.some(({ action }) => action === 'photo.arrange'),
    photos: photos.map(({ id, picture }, at) => ({
      picture: { ...picture, alt: picture.alt || `Photo ${at + 1}` },
      isNew: added.has(id),
      // Chosen as the main one, or before all others after the main one was removed.
      putFirst: at === 0 && (chosen.has(id) || done.some(({ first }) => first === id)),
      described: described.has(id) && !added.has(id),
    })),
  };
}
