import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { uploadHeroImage } from '#features/homepage/commands/upload-hero-image.ts';
import type { HeroImageResponse } from '#features/homepage/model.ts';
import { HERO_IMAGE } from '#features/homepage/rules.ts';
import { incomingFolder, receiveUpload, UploadAborted } from '#gateways/files/uploads.ts';
import { AppError } from '#platform/errors.ts';
import { drainBody } from './drain-body.ts';

/** POST /admin/uploads/homepage with the bytes of one file: stores a picture that the homepage editor can then save. */
export async function uploadHomepageImage(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const body = c.req.raw.body;
  let begun = false;
  const receive = () => {
    begun = true;
    return receiveUpload(incomingFolder(ctx.config), body, HERO_IMAGE.maxBytes);
  };
  const respond = (answer: HeroImageResponse, status: 201 | 422) =>
    c.json(answer, status, { 'cache-control': 'no-store' });
  try {
    const result = await uploadHeroImage(ctx, { receive });
    return result.ok ? respond({ image: result.image }, 201) : respond({ error: result.text }, 422);
  } catch (error) {
    if (error instanceof UploadAborted) throw new AppError('The upload was interrupted', 400);
    throw error;
  } finally {
    if (!begun && ctx.actor.kind === 'user') await drainBody(body);
  }
}
