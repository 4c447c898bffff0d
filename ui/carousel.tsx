import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { CarouselDots, CarouselThumbs } from './carousel-controls.tsx';
import { classNames } from './class-names.ts';
import { ChevronLeft, ChevronRight } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { type ImageSet, Picture } from './picture.tsx';
import { useSlides } from './use-slides.ts';

/** What is laid over a carousel knows of it. */
export interface CarouselPlace {
  /** the picture that is shown, from 0 */
  at: number;
  go: (to: number) => void;
  /** the row of pictures */
  track: RefObject<HTMLDivElement | null>;
}

interface CarouselProps {
  images: readonly ImageSet[];
  /** Names the group ('Pictures of 48 Larkspur Lane'). */
  label: string;
  sizes?: string;
  /** The pictures stand in for missing ones: 'No images available' is written on their frame. */
  standIns?: boolean;
  /** Extends to the edges of the screen below 768 px. */
  edge?: boolean;
  /** Overlaid on the picture, e.g. the watch button. */
  children?: ReactNode | ((place: CarouselPlace) => ReactNode);
}

const NONE = 'No images available';

/**
 * A scroll-snapping row of pictures, moved by swiping, buttons, dots, thumbnails and arrow keys.
 * A single picture has no controls; without pictures it says 'No images available'.
 */
export function Carousel({ images, label, sizes = '100vw', standIns, edge, children }: CarouselProps) {
  const count = images.length;
  const { at, go, row } = useSlides(count);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(at + step);
  };

  const over = typeof children === 'function' ? children({ at, go, track: row.ref }) : children;

  if (count === 0) {
    return (
      <div className={classNames('carousel', edge && 'carousel-edge')}>
        <p className="carousel-none">{NONE}</p>
        {over}
      </div>
    );
  }
  const many = count > 1;
  const caption = images[at]?.caption;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a carousel is a group, but not a fieldset
    <div
      role="group"
      aria-roledescription={many ? 'carousel' : undefined}
      aria-label={label}
      onKeyDown={many ? onKey : undefined}
    >
      <div className={classNames('carousel', edge && 'carousel-edge')}>
        {/* biome-ignore lint/a11y/useSemanticElements: the scrolling part is a group, but not a fieldset */}
        <div
          role="group"
          className="carousel-track"
          {...row}
          aria-label={label}
          tabIndex={many ? 0 : undefined}
        >
          {images.map((image, index) => (
            <div key={image.src}>
              <Picture {...image} sizes={sizes} className="picture" priority={index === 0} />
            </div>
          ))}
        </div>
        {standIns && <p className="carousel-note">{NONE}</p>}
        {over}
        {many && (
          <>
            <button
              type="button"
              className="arrow prev needs-js"
              aria-label="Previous image"
              onClick={() => go(at - 1)}
            >
              <Icon of={ChevronLeft} size={20} />
            </button>
            <button
              type="button"
              className="arrow next needs-js"
              aria-label="Next image"
              onClick={() => go(at + 1)}
            >
              <Icon of={ChevronRight} size={20} />
            </button>
            <CarouselDots count={count} at={at} onGo={go} />
            <p className="vh" aria-live="polite">
              Image {at + 1} of {count}
              {caption && `: ${caption}`}
            </p>
          </>
        )}
      </div>
      {images.some((image) => image.caption) && <p className="carousel-caption">{caption}</p>}
      {many && <CarouselThumbs images={images} at={at} onGo={go} />}
    </div>
  );
}
