import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { ensurePropertyDraft } from '#features/listing-form/commands/ensure-property-draft.ts';
import { ensureDraft } from '#features/listing-form/commands/save-draft.ts';
import { addPhoto } from '#features/photos/commands/add-photo.ts';
import { arrangePhotos } from '#features/photos/commands/arrange-photos.ts';
import { deletePhoto } from '#features/photos/commands/delete-photo.ts';
import { describePhoto } from '#features/photos/commands/describe-photo.ts';
import { setMainPhoto } from '#features/photos/commands/set-main-photo.ts';
import {
  MAX_PHOTOS,
  type PhotoOwner,
  type PhotoResult,
  type PhotosResponse,
} from '#features/photos/model.ts';
import { photosOf } from '#features/photos/reads.ts';
import { mayChangePhotos } from '#features/photos/rules.ts';
import { incomingFolder, receiveUpload, UploadAborted } from '#gateways/files/uploads.ts';
import { MAX_IMAGE_BYTES } from '#gateways/images/limits.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { AppError, BadRequest } from '#platform/errors.ts';
import { INTENT } from '#ui/action-data.ts';
import { drainBody } from './drain-body.ts';

type OwnerKind = 'property' | 'draft';
type Web = Context<WebEnv>;

const ownerOf = (c: Web, kind: OwnerKind): PhotoOwner => {
  const id = c.req.param('id') ?? '';
  return kind === 'property' ? { propertyId: id } : { draftId: id };
};
const respond = (c: Web, body: PhotosResponse, status: 200 | 201 | 422 = 200): Response =>
  c.json(body, status, { 'cache-control': 'no-store' });

/** GET /agent/photos/… : the photos of the seller's own listing or draft. */
export const listPhotos =
  (kind: OwnerKind) =>
  async (c: Web): Promise<Response> =>
    respond(c, { photos: await photosOf(c.var.ctx, ownerOf(c, kind)) });

/** POST /agent/photos/… : reorders, captions or deletes photos, and returns the new state. */
export const changePhoto =
  (kind: OwnerKind) =>
  async (c: Web): Promise<Response> => {
    const { ctx } = c.var;
    authorize(ctx, mayChangePhotos);
    const owner = ownerOf(c, kind);
    const answer = await performAction(ctx, owner, await fieldsOf(c));
    if (!answer.ok) return respond(c, { error: answer.text, reason: answer.reason }, 422);
    return respond(c, { photos: await photosOf(ctx, owner) });
  };

function performAction(ctx: Ctx, owner: PhotoOwner, fields: URLSearchParams): Promise<PhotoResult> {
  const photoId = fields.get('photo') ?? '';
  switch (fields.get(INTENT)) {
    case 'arrange':
      return arrangePhotos(ctx, {
        owner,
        ids: (fields.get('ids') ?? '').split(',').slice(0, 2 * MAX_PHOTOS),
      });
    case 'main':
      return setMainPhoto(ctx, { owner, photoId });
    case 'describe':
      return describePhoto(ctx, {
        owner,
        photoId,
        caption: fields.get('caption') ?? '',
        alt: fields.get('alt') ?? '',
        base: fields.has('baseCaption')
          ? { caption: fields.get('baseCaption') ?? '', alt: fields.get('baseAlt') ?? '' }
          : undefined,
      });
    case 'delete':
      return deletePhoto(ctx, { owner, photoId });
    default:
      throw new BadRequest();
  }
}

async function fieldsOf(c: Web): Promise<URLSearchParams> {
  const fields = new URLSearchParams(await c.req.text());
  // PostgreSQL cannot store NUL characters.
  for (const value of fields.values()) if (value.includes('\0')) throw new BadRequest();
  return fields;
}

/** POST /agent/uploads/…?key=&position=[&main=1] with the bytes of one file: adds a photo. */
export const uploadPhoto =
  (kind: OwnerKind) =>
  async (c: Web): Promise<Response> => {
    const { ctx } = c.var;
    const owner = ownerOf(c, kind);
    const body = c.req.raw.body;
    let begun = false;
    const receive = () => {
      begun = true;
      return receiveUpload(incomingFolder(ctx.config), body, MAX_IMAGE_BYTES);
    };
    try {
      const answer = await addPhoto(ctx, {
        owner,
        key: c.req.query('key') ?? '',
        position: Number(c.req.query('position') ?? 0),
        isMain: c.req.query('main') === '1',
        receive,
        createDraft: () => createDraft(ctx, owner),
      });
      if (!answer.ok) return respond(c, { error: answer.text, reason: answer.reason }, 422);
      const draftId = 'draftId' in answer.owner ? answer.owner.draftId : undefined;
      const photos = await photosOf(ctx, answer.owner);
      return respond(c, { photos, photo: answer.photoId, ...(draftId && { draftId }) }, 201);
    } catch (error) {
      if (error instanceof UploadAborted) throw new AppError('The upload was interrupted', 400);
      throw error;
    } finally {
      if (!begun && ctx.actor.kind === 'user') await drainBody(body);
    }
  };

/** The draft of a new listing, of whoever uploads to it. */
async function createDraft(ctx: Ctx, owner: PhotoOwner): Promise<PhotoOwner> {
  if (!('draftId' in owner)) return owner;
  const isAdministrator = ctx.actor.kind === 'user' && ctx.actor.role === 'admin';
  return { draftId: await (isAdministrator ? ensurePropertyDraft(ctx, owner) : ensureDraft(ctx, owner)) };
}
