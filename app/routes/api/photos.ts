import { join } from 'node:path';
import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { addPhoto } from '#features/photos/commands/add-photo.ts';
import { arrangePhotos } from '#features/photos/commands/arrange-photos.ts';
import { deletePhoto } from '#features/photos/commands/delete-photo.ts';
import { describePhoto } from '#features/photos/commands/describe-photo.ts';
import { setMainPhoto } from '#features/photos/commands/set-main-photo.ts';
import { MOST_PHOTOS, type PhotoAnswer, type PhotoOwner, type PhotosSaid } from '#features/photos/model.ts';
import { photosOf } from '#features/photos/reads.ts';
import { mayChangePhotos } from '#features/photos/rules.ts';
import { IncomingBrokenOff, receiveFile } from '#gateways/files/incoming.ts';
import { MAX_BYTES } from '#gateways/images/limits.ts';
import { authorize } from '#platform/access.ts';
import type { Config } from '#platform/config.ts';
import type { Ctx } from '#platform/context.ts';
import { AppError, BadRequest } from '#platform/errors.ts';

type Kind = 'property' | 'draft';
type Web = Context<WebEnv>;

/** Where uploads lie until they are looked at. */
export const incomingFolder = (config: Pick<Config, 'dataDir'>): string => join(config.dataDir, 'incoming');

const ownerOf = (c: Web, kind: Kind): PhotoOwner => {
  const id = c.req.param('id') ?? '';
  return kind === 'property' ? { propertyId: id } : { draftId: id };
};
const say = (c: Web, said: PhotosSaid, status: 200 | 201 | 422 = 200): Response =>
  c.json(said, status, { 'cache-control': 'no-store' });

/** GET /agent/photos/… : the photographs of the seller's own listing or draft. */
export const listPhotos =
  (kind: Kind) =>
  async (c: Web): Promise<Response> =>
    say(c, { photos: await photosOf(c.var.ctx, ownerOf(c, kind)) });

/** POST /agent/photos/… : orders, describes or takes away, and answers with the new state. */
export const changePhoto =
  (kind: Kind) =>
  async (c: Web): Promise<Response> => {
    const { ctx } = c.var;
    authorize(ctx, mayChangePhotos);
    const owner = ownerOf(c, kind);
    const answer = await deedOf(ctx, owner, await fieldsOf(c));
    if (!answer.ok) return say(c, { error: answer.text, reason: answer.reason }, 422);
    return say(c, { photos: await photosOf(ctx, owner) });
  };

function deedOf(ctx: Ctx, owner: PhotoOwner, fields: URLSearchParams): Promise<PhotoAnswer> {
  const photoId = fields.get('photo') ?? '';
  switch (fields.get('do')) {
    case 'arrange':
      return arrangePhotos(ctx, {
        owner,
        ids: (fields.get('ids') ?? '').split(',').slice(0, 2 * MOST_PHOTOS),
      });
    case 'main':
      return setMainPhoto(ctx, { owner, photoId });
    case 'describe':
      return describePhoto(ctx, {
        owner,
        photoId,
        caption: fields.get('caption') ?? '',
        alt: fields.get('alt') ?? '',
      });
    case 'delete':
      return deletePhoto(ctx, { owner, photoId });
    default:
      throw new BadRequest();
  }
}

async function fieldsOf(c: Web): Promise<URLSearchParams> {
  const fields = new URLSearchParams(await c.req.text());
  // PostgreSQL keeps no such character.
  for (const value of fields.values()) if (value.includes('\0')) throw new BadRequest();
  return fields;
}

/** POST /agent/uploads/…?key=&position=[&main=1] with the bytes of one file: takes a photograph. */
export const uploadPhoto =
  (kind: Kind) =>
  async (c: Web): Promise<Response> => {
    const { ctx, services } = c.var;
    const body = c.req.raw.body;
    let begun = false;
    const receive = () => {
      begun = true;
      return receiveFile(incomingFolder(ctx.config), body, MAX_BYTES);
    };
    try {
      const answer = await addPhoto(
        ctx,
        {
          owner: ownerOf(c, kind),
          key: c.req.query('key') ?? '',
          position: Number(c.req.query('position') ?? 0),
          isMain: c.req.query('main') === '1',
          receive,
        },
        services.files,
      );
      if (!answer.ok) return say(c, { error: answer.text, reason: answer.reason }, 422);
      const { owner, photoId } = answer;
      const draftId = 'draftId' in owner ? owner.draftId : undefined;
      return say(c, { photos: await photosOf(ctx, owner), photo: photoId, ...(draftId && { draftId }) }, 201);
    } catch (error) {
      if (error instanceof IncomingBrokenOff) throw new AppError('The upload broke off', 400);
      throw error;
    } finally {
      // A browser that is answered before it has sent everything may take the answer for a broken connection.
      if (!begun && ctx.actor.kind === 'user') await drained(body);
    }
  };

/** Reads and forgets what is still being sent, as far as an upload may go. */
async function drained(body: ReadableStream<Uint8Array> | null): Promise<void> {
  if (!body || body.locked) return;
  let left = MAX_BYTES;
  const reader = body.getReader();
  try {
    for (let piece = await reader.read(); !piece.done && left > 0; piece = await reader.read())
      left -= piece.value.length;
  } catch {
    // Who has gone away gets no answer.
  } finally {
    reader.releaseLock();
  }
}
