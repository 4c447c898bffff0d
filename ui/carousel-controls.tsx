import { type ImageSet, Picture } from './picture.tsx';

interface ControlsProps {
  at: number;
  onGo: (to: number) => void;
}

/** From this number on dots would not fit a phone: the position stands in figures instead. */
const MOST_DOTS = 10;

/** A dot for each picture, 24 px targets on a dark pill. */
export function CarouselDots({ count, at, onGo }: ControlsProps & { count: number }) {
  if (count > MOST_DOTS) {
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
          // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place
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

/** Small pictures under the large one, from 960 px. */
export function CarouselThumbs({ images, at, onGo }: ControlsProps & { images: readonly ImageSet[] }) {
  return (
    <div className="thumbs needs-js">
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
