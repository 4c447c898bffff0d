import type { ListingPicture } from '#features/listings/model.ts';
import { receiveImage, saveImage } from '#features/photos/store-upload.ts';
import type { UploadedFile } from '#gateways/files/uploads.ts';
import { ImageRefused } from '#gateways/images/port.ts';
import { variantWidths } from '#gateways/images/sources.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { rateLimits, takeTokens } from '#platform/rate-limits.ts';
import { HERO_IMAGE, homepageMessages, mayEditHomepage } from '../rules.ts';

type UploadHeroImageResult =
  | { ok: true; image: ListingPicture }
  | { ok: false; reason: 'picture'; text: string };

/**
 * Stores a picture for the hero: accepted by its content alone, decoded and encoded anew in every size. Nothing shows it before
 * the homepage is saved with it; left unsaved it is deleted after a day.
 * @param input `receive` starts receiving the file, called only once the upload is accepted
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests; UploadAborted; FileStoreError
 */
export async function uploadHeroImage(
  ctx: CtxWith<'files'>,
  { receive }: { receive: () => Promise<UploadedFile> },
): Promise<UploadHeroImageResult> {
  const user = authorizedUser(ctx, mayEditHomepage);
  await takeTokens(ctx, rateLimits.upload, user.id);
  try {
    const received = await receiveImage(receive, HERO_IMAGE);
    const { image } = received;
    const id = await saveImage(ctx, user, received);
    const { width, height, placeholder } = image;
    await audit(ctx, {
      action: 'homepage.upload_image',
      entity: 'homepage',
      entityId: '1',
      after: { image: id, width, height },
    });
    return { ok: true, image: { id, width, height, widths: variantWidths(image), placeholder, alt: '' } };
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error;
    const text = error.reason === 'too-heavy' ? homepageMessages.tooLarge : error.message;
    return { ok: false, reason: 'picture', text };
  }
}
