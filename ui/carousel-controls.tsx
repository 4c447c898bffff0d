import { useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';
import { type ImageSet, Picture } from './picture.tsx';

interface ControlsProps {
  at: number;
  onGo: (to: number) => void;
}

/** More dots would not fit on a phone, so beyond this the position is shown as 'n / count'. */
const MAX_DOTS = 10;

/** One dot per picture, with 24 px targets. */
export function CarouselDots({ count, at, onGo }: ControlsProps & { count: number }) {
  if (count > MAX_DOTS) {
    return (
      <span className="dots dots-many" aria-hidden="true">
        {at + 1} / {count}
      </span>
    );
  }
  return (
    <div className="dots needs-js">
      {Array.from({ length: count }, (_, index) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: a dot is identified by its position
          key={index}
          type="button"
          aria-label={`Image ${index + 1}`}
          aria-current={index === at ? 'true' : undefined}
          onClick={() => onGo(index)}
        />
      ))}
    </div>
  );
}

/** How many thumbnails fit below the picture. */
const THUMBS_IN_VIEW = 4;

/** Thumbnails below the main picture, on screens from 960 px; those of a long strip scroll along. */
export function CarouselThumbs({ images, at, onGo }: ControlsProps & { images: readonly ImageSet[] }) {
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = strip;
    const thumb = current?.children[at];
    if (!current || !(thumb instanceof HTMLElement)) return;
    // The strip alone: scrolling the thumbnail into view would move the page.
    current.scrollTo({ left: thumb.offsetLeft - (current.clientWidth - thumb.offsetWidth) / 2 });
  }, [at]);
  return (
    <div
      className={classNames('thumbs', 'needs-js', images.length > THUMBS_IN_VIEW && 'thumbs-more')}
      ref={strip}
    >
      {images.map((image, index) => (
        <button
          key={image.src}
          type="button"
          aria-label={`Show image ${index + 1}`}
          aria-current={index === at ? 'true' : undefined}
          onClick={() => onGo(index)}
        >
          <Picture {...image} alt="" sizes="200px" />
        </button>
      ))}
    </div>
  );
}
