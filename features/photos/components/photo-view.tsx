import { imageSources } from '#gateways/images/sources.ts';
import { Picture } from '#ui/picture.tsx';
import type { Photo } from '../model.ts';

/** A stored photo as a responsive picture. */
export function PhotoView({ photo, alt, sizes }: { photo: Photo; alt: string; sizes: string }) {
  const { avif, webp, src } = imageSources(photo.imageId, photo.widths);
  return (
    <Picture
      src={src}
      sources={[
        { type: 'image/avif', srcSet: avif },
        { type: 'image/webp', srcSet: webp },
      ]}
      sizes={sizes}
      width={photo.width}
      height={photo.height}
      placeholder={photo.placeholder}
      alt={alt}
    />
  );
}
