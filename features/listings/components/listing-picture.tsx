import { illustrationAddress, illustrationPath } from '#demo/illustrator/address.ts';
import { imageSources } from '#gateways/images/sources.ts';
import type { ListingPicture } from '../model.ts';

interface Props {
  listingId: string;
  type: string;
  address: string;
  picture: ListingPicture | null;
  /** the `sizes` attribute: how wide the picture is shown */
  sizes: string;
  /** true for pictures in the first view: loaded at once */
  eager?: boolean;
  /** true for the one picture that decides the first impression */
  priority?: boolean;
}

/** A listing's main picture, or the illustration that stands in for it; always with its size, so nothing jumps. */
export function ListingPictureView({ listingId, type, address, picture, sizes, eager, priority }: Props) {
  const loading = eager || priority ? undefined : 'lazy';
  const fetchPriority = priority ? 'high' : undefined;
  if (!picture) {
    const src = illustrationPath(illustrationAddress(listingId, type), 'exterior');
    return (
      <img
        src={src}
        alt={address}
        width={1200}
        height={800}
        loading={loading}
        fetchPriority={fetchPriority}
      />
    );
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
