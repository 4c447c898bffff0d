import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { CarouselDots, CarouselThumbs } from './carousel-controls.tsx';
import { classNames } from './class-names.ts';
import { ChevronLeft, ChevronRight } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { type ImageSet, Picture } from './picture.tsx';

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
  children?: ReactNode;
}

const NONE = 'No images available';

/**
 * A scroll-snapping row of pictures, moved by swiping, buttons, dots, thumbnails and arrow keys.
 * A single picture has no controls; without pictures it says 'No images available'.
 */
export function Carousel({ images, label, sizes = '100vw', standIns, edge, children }: CarouselProps) {
  const track = useRef<HTMLDivElement>(null);
  const settleTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** target of the last click, until it is reached or the user scrolls */
  const targetIndex = useRef<number | null>(null);
  const [at, setAt] = useState(0);
  const count = images.length;

  const go = (to: number) => {
    const element = track.current;
    if (!element || count === 0) return;
    const next = (to + count) % count;
    const far = Math.abs(next - at) > 1 || matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({ left: next * element.clientWidth, behavior: far ? 'instant' : 'smooth' });
    targetIndex.current = next;
    setAt(next);
  };
  const onScrollSettled = () => {
    const element = track.current;
    if (!element?.clientWidth) return;
    const place = Math.round(element.scrollLeft / element.clientWidth);
    // A second click can interrupt the first one's scrolling, so it may settle on a picture nobody asked for.
    if (targetIndex.current !== null && targetIndex.current !== place) {
      element.scrollTo({ left: targetIndex.current * element.clientWidth, behavior: 'instant' });
      return;
    }
    targetIndex.current = null;
    setAt(place);
  };
  const cancelTarget = () => {
    targetIndex.current = null;
  };
  // On a busy machine a pause between two scroll events is not the end: guess only where `scrollend` is missing.
  const onScroll = () => {
    if ('onscrollend' in window) return;
    clearTimeout(settleTimer.current);
    settleTimer.current = setTimeout(onScrollSettled, 90);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(at + step);
  };

  if (count === 0) {
    return (
      <div className={classNames('carousel', edge && 'carousel-edge')}>
        <p className="carousel-none">{NONE}</p>
        {children}
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
          ref={track}
          onScroll={onScroll}
          onScrollEnd={onScrollSettled}
          onPointerDown={cancelTarget}
          onWheel={cancelTarget}
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
        {children}
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
