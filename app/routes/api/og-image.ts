import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { previewImage } from '#gateways/images/preview.ts';
import { illustrate } from '#illustrator/illustrate.ts';
import { illustrationKey } from '#illustrator/illustration-key.ts';
import { rasterise } from '#illustrator/raster.ts';
import { NotFound } from '#platform/errors.ts';

const WIDTH = 1200;
const HEIGHT = 630;

/** GET /property/:id/og.jpg : the preview image (Open Graph) of the property. */
export async function ogImage(c: Context<WebEnv>): Promise<Response> {
  const { ctx, services } = c.var;
  const found = await listingDetail(ctx, c.req.param('id') ?? '');
  if (!found.ok) throw new NotFound();
  const picture = found.listing.pictures[0];
  let bytes: Uint8Array;
  if (picture) bytes = await previewImage(services.files, picture, WIDTH, HEIGHT);
  else {
    const { kind, hash } = illustrationKey(found.listing.id, found.listing.typeName);
    bytes = await rasterise(illustrate(kind, hash, 'exterior'), WIDTH, HEIGHT);
  }
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': 'image/jpeg',
      // Not for shared caches when only some may see the listing.
      'cache-control': found.listing.isPublic ? 'public, max-age=86400' : 'private, no-store',
    },
  });
}
