import { stat } from 'node:fs/promises';
import { isUuid } from '#features/accounts/rules.ts';
import { ensureDraft } from '#features/listings/commands/save-draft.ts';
import { type IncomingFile, IncomingTooLarge } from '#gateways/files/incoming.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { heavyImage } from '#gateways/images/limits.ts';
import { ImageRefused, type ProcessedImage } from '#gateways/images/port.ts';
import { variantWidths } from '#gateways/images/sources.ts';
import { storeImage } from '#gateways/images/store.ts';
import { processApart } from '#gateways/images/workshop.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { BadRequest } from '#platform/errors.ts';
import { limits, takeTokens } from '#platform/limits.ts';
import { changePhotos, refused } from '../change.ts';
import { makeMain } from '../main.ts';
import { MOST_PHOTOS, type PhotoAnswer, type PhotoOwner } from '../model.ts';
import { type OwnPlace, ownPlace } from '../owner.ts';
import { photosIn } from '../rows.ts';
import { mayChangePhotos } from '../rules.ts';

export interface NewPhoto {
  owner: PhotoOwner;
  /** chosen by the sender, the same for every repetition of one upload */
  key: string;
  /** where it is to stand among the others, from 0 */
  position: number;
  isMain: boolean;
  /** begins to receive the file, once it is known that it is wanted */
  receive: () => Promise<IncomingFile>;
}

type Added = { ok: true; photoId: string; owner: PhotoOwner };
type Refused = Extract<PhotoAnswer, { ok: false }>;

const LAST_POSITION = 32_767;

/**
 * Takes a photograph into the seller's own listing or draft (B-101): by content, upright, without position or other
 * metadata, in every size. The first of a listing becomes its main one (B-039). Repeating an upload with its key finds the
 * photograph of the first time.
 * @returns the owner with the draft's real id, which may be another one than was asked for
 * @throws Unauthenticated, Forbidden; NotFound for what is not the seller's; TooManyRequests; IncomingBrokenOff;
 * FileStoreError
 */
export async function addPhoto(ctx: Ctx, input: NewPhoto, files: FileStore): Promise<Added | Refused> {
  const user = authorizedUser(ctx, mayChangePhotos);
  if (!isUuid(input.key)) throw new BadRequest('An upload needs a key');
  const asked = await ownPlace(ctx, user, input.owner);
  const owner = asked ? input.owner : await begunDraft(ctx, input.owner);
  const place = asked ?? (await ownPlace(ctx, user, owner));
  if (place) {
    if (place.status === 'Sold') return refused('sold');
    const before = await uploadedBefore(ctx, place, input.key);
    if (before) return { ok: true, photoId: before, owner };
    if ((await photosIn(ctx, place)).length >= MOST_PHOTOS) return refused('full');
  }
  await takeTokens(ctx, limits.upload, user.id);
  try {
    const { image, bytes } = await receiveImage(input.receive);
    if (place && (await holdsFile(ctx, place, image.sha256, input.key))) return refused('twice');
    const imageId = await keepImage(ctx, user, image, bytes, files);
    return await hang(ctx, user, { ...input, owner }, imageId, image.sha256);
  } catch (error) {
    if (error instanceof ImageRefused) return { ok: false, reason: 'picture', text: error.message };
    throw error;
  }
}

/** The seller's one draft of a new listing, begun where there is none. */
const begunDraft = async (ctx: Ctx, owner: PhotoOwner): Promise<PhotoOwner> =>
  'draftId' in owner ? { draftId: await ensureDraft(ctx, owner) } : owner;

async function receiveImage(receive: NewPhoto['receive']): Promise<{ image: ProcessedImage; bytes: number }> {
  const file = await receive().catch((error: unknown) => {
    throw error instanceof IncomingTooLarge ? heavyImage() : error;
  });
  try {
    const [image, { size }] = await Promise.all([processApart(file.path), stat(file.path)]);
    return { image, bytes: size };
  } finally {
    await file.remove();
  }
}

/** The row stands before the files do: whatever happens in between, the sweep finds what nothing shows. */
async function keepImage(
  ctx: Ctx,
  user: UserActor,
  image: ProcessedImage,
  bytes: number,
  files: FileStore,
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
      uploaded_by: user.id,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeImage(files, id, image);
  return id;
}

async function hang(
  ctx: Ctx,
  user: UserActor,
  { owner, key, position, isMain }: Omit<NewPhoto, 'receive'>,
  imageId: string,
  sha256: string,
): Promise<Added | Refused> {
  let photoId = '';
  const answer = await changePhotos(ctx, user, owner, 'photo.add', async (place) => {
    const before = await uploadedBefore(ctx, place, key);
    photoId = before ?? '';
    if (before) return { changed: false };
    const photos = await photosIn(ctx, place);
    if (photos.length >= MOST_PHOTOS) return refused('full');
    if (await holdsFile(ctx, place, sha256, key)) return refused('twice');
    const row = await ctx.db
      .q()
      .insertInto('property_images')
      .values({
        [place.column]: place.id,
        image_id: imageId,
        is_main: photos.length === 0,
        position: Math.max(0, Math.min(LAST_POSITION, Math.trunc(position) || 0)),
        upload_key: key,
        created_at: ctx.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    photoId = row.id;
    if (isMain && photos.length > 0) await makeMain(ctx, place, row.id, { trade: false });
    return { changed: true, after: { photo: row.id, image: imageId } };
  });
  return answer.ok ? { ok: true, photoId, owner } : answer;
}

async function uploadedBefore(ctx: Ctx, { column, id }: OwnPlace, key: string): Promise<string | undefined> {
  const row = await ctx.db
    .q()
    .selectFrom('property_images')
    .select('id')
    .where(column, '=', id)
    .where('upload_key', '=', key)
    .executeTakeFirst();
  return row?.id;
}

/** Whether another upload has brought the same file. */
async function holdsFile(ctx: Ctx, { column, id }: OwnPlace, sha256: string, key: string): Promise<boolean> {
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
