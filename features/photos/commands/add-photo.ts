import type { UploadedFile } from '#gateways/files/uploads.ts';
import { ImageRefused } from '#gateways/images/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { BadRequest } from '#platform/errors.ts';
import { rateLimits, takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { changePhotos, refused } from '../change-photos.ts';
import { makeMain } from '../make-main.ts';
import { MAX_PHOTOS, type PhotoOwner, type PhotoResult } from '../model.ts';
import { findPhotoOwner, type PhotoOwnerRecord } from '../photo-owner.ts';
import { mayChangePhotos } from '../rules.ts';
import { selectPhotos } from '../select-photos.ts';
import { receiveImage, saveImage } from '../store-upload.ts';

export interface NewPhoto {
  owner: PhotoOwner;
  /** idempotency key, the same for every retry of one upload */
  key: string;
  /** position among the others, from 0 */
  position: number;
  isMain: boolean;
  /** starts receiving the file, called only once the upload is accepted */
  receive: () => Promise<UploadedFile>;
  /** finds or creates the seller's one draft, called only for a draft that is not stored yet */
  createDraft: () => Promise<PhotoOwner>;
}

type Added = { ok: true; photoId: string; owner: PhotoOwner };
type Refused = Extract<PhotoResult, { ok: false }>;

const LAST_POSITION = 32_767;

/**
 * Adds a photograph to one of the seller's own listings or drafts: validated by content, rotated upright, stripped of
 * location and other metadata, and stored in every size. The first one of a listing becomes its main photo. Repeating
 * an upload with the same key returns the existing photo.
 * @returns the owner with the draft's actual id, which may differ from the requested one
 * @throws Unauthenticated, Forbidden; NotFound for what belongs to somebody else; TooManyRequests; IncomingBrokenOff;
 * FileStoreError
 */
export async function addPhoto(ctx: CtxWith<'files'>, input: NewPhoto): Promise<Added | Refused> {
  const user = authorizedUser(ctx, mayChangePhotos);
  if (!isUuid(input.key)) throw new BadRequest('An upload needs a key');
  const requested = await findPhotoOwner(ctx, user, input.owner);
  const owner = requested ? input.owner : await input.createDraft();
  const ownerRecord = requested ?? (await findPhotoOwner(ctx, user, owner));
  if (ownerRecord) {
    const before = await findEarlierUpload(ctx, ownerRecord, input.key);
    if (before) return { ok: true, photoId: before, owner };
    if (ownerRecord.status === 'Sold') return refused('sold');
    if ((await selectPhotos(ctx, ownerRecord)).length >= MAX_PHOTOS) return refused('full');
  }
  await takeTokens(ctx, rateLimits.upload, user.id);
  try {
    const received = await receiveImage(input.receive);
    const { sha256 } = received.image;
    if (ownerRecord && (await hasFile(ctx, ownerRecord, sha256, input.key))) return refused('twice');
    const imageId = await saveImage(ctx, user, received);
    return await insertPhoto(ctx, user, { ...input, owner }, imageId, sha256);
  } catch (error) {
    if (error instanceof ImageRefused) return { ok: false, reason: 'picture', text: error.message };
    throw error;
  }
}

async function insertPhoto(
  ctx: Ctx,
  user: UserActor,
  { owner, key, position, isMain }: Omit<NewPhoto, 'receive' | 'createDraft'>,
  imageId: string,
  sha256: string,
): Promise<Added | Refused> {
  let photoId = '';
  const answer = await changePhotos(ctx, user, owner, 'photo.add', async (ownerRecord) => {
    const before = await findEarlierUpload(ctx, ownerRecord, key);
    photoId = before ?? '';
    if (before) return { changed: false };
    const photos = await selectPhotos(ctx, ownerRecord);
    if (photos.length >= MAX_PHOTOS) return refused('full');
    if (await hasFile(ctx, ownerRecord, sha256, key)) return refused('twice');
    const row = await ctx.db
      .q()
      .insertInto('property_images')
      .values({
        [ownerRecord.column]: ownerRecord.id,
        image_id: imageId,
        is_main: photos.length === 0,
        position: Math.max(0, Math.min(LAST_POSITION, Math.trunc(position) || 0)),
        upload_key: key,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    photoId = row.id;
    if (isMain && photos.length > 0) await makeMain(ctx, ownerRecord, row.id, { swap: false });
    return { changed: true, after: { photo: row.id, image: imageId } };
  });
  return answer.ok ? { ok: true, photoId, owner } : answer;
}

async function findEarlierUpload(
  ctx: Ctx,
  { column, id }: PhotoOwnerRecord,
  key: string,
): Promise<string | undefined> {
  const row = await ctx.db
    .q()
    .selectFrom('property_images')
    .select('id')
    .where(column, '=', id)
    .where('upload_key', '=', key)
    .executeTakeFirst();
  return row?.id;
}

/** Whether another upload has the same content. */
async function hasFile(
  ctx: Ctx,
  { column, id }: PhotoOwnerRecord,
  sha256: string,
  key: string,
): Promise<boolean> {
  const row = await ctx.db
    .q()
    .selectFrom('property_images as i')
    .innerJoin('stored_images as s', 's.id', 'i.image_id')
    .select('i.id')
    .where(`i.${column}`, '=', id)
    .where('s.sha256', '=', sha256)
    .where('i.upload_key', 'is distinct from', key)
    .executeTakeFirst();
  return row !== undefined;
}
