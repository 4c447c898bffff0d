import { illustrationAddress, illustrationPath, illustrationVariants } from '#demo/illustrator/address.ts';
import { imageSources } from '#gateways/images/sources.ts';
import type { ImageSet } from '#ui/picture.tsx';
import type { ListingDetail } from '../model.ts';
import { pictureAlt } from '../rules.ts';

/** The pictures of a listing's carousel: the stored ones, else its illustrations, main one first (S0 §2, B-040). */
export function carouselImages(
  listing: Pick<ListingDetail, 'id' | 'typeName' | 'address' | 'pictures'>,
): ImageSet[] {
  if (listing.pictures.length > 0) {
    return listing.pictures.map((picture) => {
      const { avif, webp, src } = imageSources(picture.id, picture.widths);
      return {
        src,
        sources: [
          { type: 'image/avif', srcSet: avif },
          { type: 'image/webp', srcSet: webp },
        ],
        width: picture.width,
        height: picture.height,
        placeholder: picture.placeholder,
        alt: picture.alt,
        caption: picture.caption,
      };
    });
  }
  const address = illustrationAddress(listing.id, listing.typeName);
  const variants = illustrationVariants(address.kind);
  return variants.map((variant, index) => ({
    src: illustrationPath(address, variant),
    width: 1200,
    height: 800,
    alt: pictureAlt(listing.address, index, variants.length),
  }));
}
