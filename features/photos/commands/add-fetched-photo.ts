import { sql } from 'kysely';
import type { UploadedFile } from '#gateways/files/uploads.ts';
import { ImageRefused } from '#gateways/images/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import { makeMain } from '../make-main.ts';
import { markPhotosChanged } from '../mark-photos-changed.ts';
import { MAX_PHOTOS } from '../model.ts';
import { mayAddFetchedPhotos } from '../rules.ts';
import { receiveImage, saveImage } from '../store-upload.ts';

interface FetchedPhoto {
  propertyId: string;
  /** idempotency key, the same for every attempt */
  key: string;
  /** position among the others, from 0; the first becomes the main photo unless someone chose another */
  position: number;
  /** asked once the listing is held: what it was fetched for may have been undone meanwhile */
  isWanted: () => Promise<boolean>;
  /** whether another photo was fetched like this one and is where its file put it: who chooses a main photo moves it */
  isAsFetched: (photo: { key: string; position: number }) => Promise<boolean>;
  /** a seller's, so an administrator has to see it */
  needsApproval: boolean;
  file: UploadedFile;
}

type Result =
  | { ok: true }
  | { ok: false; reason: 'removed' | 'sold' | 'full' | 'twice' | 'undone' }
  | { ok: false; reason: 'picture'; text: string };

/**
 * Adds a photo that was fetched from the address that a file of listings names. Checked, stored and shown like an uploaded one; a listing
 * that was sold keeps its photos, whereas a home that an import stored as Sold gets those of its file.
 * @throws Unauthenticated, Forbidden for everyone but jobs; FileStoreError
 */
export async function addFetchedPhoto(ctx: CtxWith<'files'>, photo: FetchedPhoto): Promise<Result> {
  authorize(ctx, mayAddFetchedPhotos);
  try {
    const received = await receiveImage(async () => photo.file);
    const imageId = await saveImage(ctx, null, received);
    return await insert(ctx, photo, imageId, received.image.sha256);
  } catch (error) {
    if (error instanceof ImageRefused) return { ok: false, reason: 'picture', text: error.message };
    throw error;
  }
}

/** Whether a listing was something else before it was sold. */
const becameSold = sql<boolean>`exists (select from property_changes c
  where c.property_id = properties.id and c.field = 'status' and c.new_value = 'Sold')`;

async function insert(
  ctx: CtxWith<'files'>,
  { propertyId, key, position, isWanted, isAsFetched, needsApproval }: FetchedPhoto,
  imageId: string,
  sha256: string,
): Promise<Result> {
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    const property = await q
      .selectFrom('properties')
      .select(['status', becameSold.as('becameSold')])
      .where('id', '=', propertyId)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!property) return { ok: false, reason: 'removed' };
    if (property.status === 'Sold' && property.becameSold) return { ok: false, reason: 'sold' };
    const photos = await q
      .selectFrom('property_images as i')
      .innerJoin('stored_images as s', 's.id', 'i.image_id')
      .select(['i.id', 'i.is_main', 'i.position', 'i.upload_key', 's.sha256'])
      .where('i.property_id', '=', propertyId)
      .execute();
    if (photos.some(({ upload_key }) => upload_key === key)) return { ok: true };
    if (!(await isWanted())) return { ok: false, reason: 'undone' };
    if (photos.some((other) => other.sha256 === sha256)) return { ok: false, reason: 'twice' };
    if (photos.length >= MAX_PHOTOS) return { ok: false, reason: 'full' };
    const main = photos.find(({ is_main }) => is_main);
    await setAuditActor(ctx);
    const { id } = await q
      .insertInto('property_images')
      .values({
        property_id: propertyId,
        image_id: imageId,
        is_main: main === undefined,
        position,
        upload_key: key,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    // Photos may arrive in any order.
    if (
      position === 0 &&
      main?.upload_key &&
      (await isAsFetched({ key: main.upload_key, position: main.position }))
    )
      await makeMain(ctx, { column: 'property_id', id: propertyId, status: null }, id, { swap: false });
    if (needsApproval) await markPhotosChanged(ctx, { id: propertyId, status: property.status });
    await audit(ctx, {
      action: 'photo.add',
      entity: 'property',
      entityId: propertyId,
      after: { photo: id, image: imageId, from: 'address' },
    });
    return { ok: true };
  });
}
