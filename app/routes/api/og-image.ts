import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { createPictureCache } from '#gateways/images/picture-cache.ts';
import { previewImage } from '#gateways/images/preview.ts';
import { illustrate } from '#illustrator/illustrate.ts';
import { illustrationKey } from '#illustrator/illustration-key.ts';
import { rasterise } from '#illustrator/raster.ts';
import { NotFound } from '#platform/errors.ts';

const WIDTH = 1200;
const HEIGHT = 630;

/** At most some 30 MB. */
const CACHED_PICTURES = 300;
const WAITING_PICTURES = 50;

/** Answers GET /property/:id/og.jpg : the preview image (Open Graph) of the property. */
export function ogImageHandler(): (c: Context<WebEnv>) => Promise<Response> {
  const picture = createPictureCache({ size: CACHED_PICTURES, queue: WAITING_PICTURES });
  return async (c) => {
    const { ctx, services } = c.var;
    const found = await listingDetail(ctx, c.req.param('id') ?? '');
    if (!found.ok) throw new NotFound();
    const { id, typeName, pictures, isPublic } = found.listing;
    const photo = pictures[0];
    const bytes = await (photo
      ? picture(photo.id, () => previewImage(services.files, photo, WIDTH, HEIGHT))
      : drawn(picture, illustrationKey(id, typeName)));
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: {
        'content-type': 'image/jpeg',
        // Not for shared caches when only some may see the listing.
        'cache-control': isPublic ? 'public, max-age=86400' : 'private, no-store',
      },
    });
  };
}

const drawn = (
  picture: ReturnType<typeof createPictureCache>,
  { kind, hash }: ReturnType<typeof illustrationKey>,
): Promise<Uint8Array> =>
  picture(`${kind} ${hash}`, () => rasterise(illustrate(kind, hash, 'exterior'), WIDTH, HEIGHT));
