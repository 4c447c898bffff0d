import { imageSources } from '#gateways/images/sources.ts';
import { illustrationKey, illustrationPath, illustrationVariants } from '#illustrator/illustration-key.ts';
import type { ImageSet } from '#ui/picture.tsx';
import { drawingAlt } from '../display.ts';
import type { ListingDetail } from '../model.ts';

/** The photographs of a listing's carousel, main one first; drawings that stand in when it has none. */
export function carouselImages(listing: Pick<ListingDetail, 'id' | 'typeName' | 'pictures'>): ImageSet[] {
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
  const key = illustrationKey(listing.id, listing.typeName);
  const variants = illustrationVariants(key.kind);
  return variants.map((variant, index) => ({
    src: illustrationPath(key, variant),
    width: 1200,
    height: 800,
    alt: drawingAlt(index, variants.length),
  }));
}
