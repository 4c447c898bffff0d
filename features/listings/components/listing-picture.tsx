import { imageSources } from '#gateways/images/sources.ts';
import { illustrationKey, illustrationPath } from '#illustrator/illustration-key.ts';
import type { ListingPicture } from '../model.ts';

interface Props {
  listingId: string;
  type: string;
  picture: ListingPicture | null;
  /** the `sizes` attribute: how wide the picture is shown */
  sizes: string;
  /** true for pictures above the fold: loaded eagerly */
  eager?: boolean;
  /** true for the LCP picture */
  priority?: boolean;
}

/**
 * A listing's main photograph, or a drawing that stands in and says nothing about the property; sized, so that the layout
 * does not shift.
 */
export function ListingPictureView({ listingId, type, picture, sizes, eager, priority }: Props) {
  const loading = eager || priority ? undefined : 'lazy';
  const fetchPriority = priority ? 'high' : undefined;
  if (!picture) {
    const src = illustrationPath(illustrationKey(listingId, type), 'exterior');
    return <img src={src} alt="" width={1200} height={800} loading={loading} fetchPriority={fetchPriority} />;
  }
  const sources = imageSources(picture.id, picture.widths);
  return (
    <picture>
      <source type="image/avif" srcSet={sources.avif} sizes={sizes} />
      <source type="image/webp" srcSet={sources.webp} sizes={sizes} />
      <img
        src={sources.src}
        alt={picture.alt}
        width={picture.width}
        height={picture.height}
        loading={loading}
        fetchPriority={fetchPriority}
        style={{ backgroundImage: `url(${picture.placeholder})` }}
      />
    </picture>
  );
}
