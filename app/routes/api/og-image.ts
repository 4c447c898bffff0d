import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { illustrationAddress } from '#demo/illustrator/address.ts';
import { illustrate } from '#demo/illustrator/illustrate.ts';
import { rasterise } from '#demo/illustrator/raster.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { previewImage } from '#gateways/images/preview.ts';
import { NotFound } from '#platform/errors.ts';

const WIDTH = 1200;
const HEIGHT = 630;

/** GET /property/:id/og.jpg : the picture that other sites show beside a link to the property. */
export async function ogImage(c: Context<WebEnv>): Promise<Response> {
  const { ctx, services } = c.var;
  const found = await listingDetail(ctx, c.req.param('id') ?? '');
  if (!found.ok) throw new NotFound();
  const picture = found.listing.pictures[0];
  let bytes: Uint8Array;
  if (picture) bytes = await previewImage(services.files, picture, WIDTH, HEIGHT);
  else {
    const { kind, hash } = illustrationAddress(found.listing.id, found.listing.typeName);
    bytes = await rasterise(illustrate(kind, hash, 'exterior'), WIDTH, HEIGHT);
  }
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      'content-type': 'image/jpeg',
      // Of a listing that only some may see, no shared cache keeps the picture.
      'cache-control': found.listing.isPublic ? 'public, max-age=86400' : 'private, no-store',
    },
  });
}
