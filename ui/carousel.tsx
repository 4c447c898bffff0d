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
  /** Reaches to the edges of the screen below 768 px. */
  edge?: boolean;
  /** Lies on the picture: the watch button. */
  children?: ReactNode;
}

/**
 * Pictures in a row that snaps: swiped by the browser, moved by buttons, dots, thumbnails and arrow keys.
 * One picture has no controls; none says 'No images available' (S0 §2).
 */
export function Carousel({ images, label, sizes = '100vw', edge, children }: CarouselProps) {
  const track = useRef<HTMLDivElement>(null);
  const settled = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** where a press has sent it, until it is there or a finger takes over */
  const goal = useRef<number | null>(null);
  const [at, setAt] = useState(0);
  const count = images.length;

  const go = (to: number) => {
    const element = track.current;
    if (!element || count === 0) return;
    const next = (to + count) % count;
    const far = Math.abs(next - at) > 1 || matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({ left: next * element.clientWidth, behavior: far ? 'instant' : 'smooth' });
    goal.current = next;
    setAt(next);
  };
  const onRest = () => {
    const element = track.current;
    if (!element?.clientWidth) return;
    const place = Math.round(element.scrollLeft / element.clientWidth);
    // A second press cuts the first one's way short; the rest it comes to in between is not where it was sent.
    if (goal.current !== null && goal.current !== place) {
      element.scrollTo({ left: goal.current * element.clientWidth, behavior: 'instant' });
      return;
    }
    goal.current = null;
    setAt(place);
  };
  const takeOver = () => {
    goal.current = null;
  };
  // A pause between two scroll events is no end of scrolling on a busy machine: only browsers without `scrollend` guess.
  const onScroll = () => {
    if ('onscrollend' in window) return;
    clearTimeout(settled.current);
    settled.current = setTimeout(onRest, 90);
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
        <p className="carousel-none">No images available</p>
        {children}
      </div>
    );
  }
  const many = count > 1;
  const caption = images[at]?.caption;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a carousel is a group, and no form's
    <div
      role="group"
      aria-roledescription={many ? 'carousel' : undefined}
      aria-label={label}
      onKeyDown={many ? onKey : undefined}
    >
      <div className={classNames('carousel', edge && 'carousel-edge')}>
        {/* biome-ignore lint/a11y/useSemanticElements: the part that scrolls is a group too */}
        <div
          role="group"
          className="carousel-track"
          ref={track}
          onScroll={onScroll}
          onScrollEnd={onRest}
          onPointerDown={takeOver}
          onWheel={takeOver}
          aria-label={label}
          tabIndex={many ? 0 : undefined}
        >
          {images.map((image, index) => (
            <div key={image.src}>
              <Picture {...image} sizes={sizes} className="picture" first={index === 0} />
            </div>
          ))}
        </div>
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
