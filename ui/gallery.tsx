import './gallery.css';
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useModal } from './dialog.tsx';
import { ChevronLeft, ChevronRight, X } from './glyphs.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';
import { type ImageSet, Picture } from './picture.tsx';
import { ZoomIn, ZoomOut } from './property-glyphs.ts';
import { useSlides } from './use-slides.ts';

export interface GalleryProps {
  images: readonly ImageSet[];
  /** Names the gallery ('Pictures of 48 Larkspur Lane'). */
  label: string;
  /** the picture that is shown at first, from 0 */
  first: number;
  /** Called once when the user closes it, with the picture that was shown last. */
  onClose: (last: number) => void;
}

const ZOOMS: readonly number[] = [1, 1.5, 2, 3, 4];
/** How far an arrow key moves an enlarged picture, in pixels. */
const PAN_STEP = 120;

/** The next larger or smaller zoom; the same one at either end. */
const nextZoom = (zoom: number, step: 1 | -1): number => ZOOMS[ZOOMS.indexOf(zoom) + step] ?? zoom;

/**
 * Pictures in full screen. Arrow keys, Home and End, buttons and swipes change the picture; plus, minus, 0, double clicks and
 * the wheel with Ctrl enlarge it, and arrow keys then move it. Large renditions are loaded for the picture that is shown and
 * its neighbors alone. A native modal element traps the focus, closes on Escape and returns the focus.
 */
export function Gallery({ images, label, first, onClose }: GalleryProps) {
  const count = images.length;
  const { at, go, row } = useSlides(count, first);
  const [zoom, setZoom] = useState(1);
  /** the point of the picture that zooming keeps in the middle, as fractions of its size */
  const focusPoint = useRef({ x: 0.5, y: 0.5 });
  const { element } = useModal({ open: true, onClose: () => onClose(at) });
  const many = count > 1;
  const caption = images[at]?.caption;
  const slide = () => row.ref.current?.children[at] as HTMLElement | undefined;

  // After the dialog was opened, since what is not shown has no width.
  useLayoutEffect(() => {
    const track = row.ref.current;
    track?.scrollTo({ left: first * track.clientWidth, behavior: 'instant' });
  }, [first, row.ref]);
  // Turning the telephone keeps the picture.
  useEffect(() => {
    const track = row.ref.current;
    if (!track) return;
    const keep = new ResizeObserver(() =>
      track.scrollTo({ left: at * track.clientWidth, behavior: 'instant' }),
    );
    keep.observe(track);
    return () => keep.disconnect();
  }, [at, row.ref]);

  function magnify(next: number, point = middleOf(slide())) {
    focusPoint.current = point;
    setZoom(next);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: `slide` follows `at`, and another picture is not enlarged
  useLayoutEffect(() => {
    const shown = slide();
    if (!shown) return;
    const { x, y } = focusPoint.current;
    shown.scrollTo({
      left: x * shown.scrollWidth - shown.clientWidth / 2,
      top: y * shown.scrollHeight - shown.clientHeight / 2,
      behavior: 'instant',
    });
  }, [zoom]);
  const show = (index: number) => {
    setZoom(1);
    go(index);
  };

  const latest = useRef({ zoom, magnify });
  latest.current = { zoom, magnify };
  useEffect(() => {
    const track = row.ref.current;
    if (!track) return;
    // React's own handlers cannot keep the browser from zooming the page.
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { zoom: now, magnify: change } = latest.current;
      change(nextZoom(now, event.deltaY < 0 ? 1 : -1));
    };
    track.addEventListener('wheel', onWheel, { passive: false });
    return () => track.removeEventListener('wheel', onWheel);
  }, [row.ref]);

  function onKeyDown(event: KeyboardEvent) {
    // The carousel that it is laid over would follow the same keys.
    event.stopPropagation();
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const pan = (left: number, top: number) => slide()?.scrollBy({ left, top });
    const enlarged = zoom > 1;
    const keys = new Map([
      ['ArrowRight', () => (enlarged ? pan(PAN_STEP, 0) : show(at + 1))],
      ['ArrowLeft', () => (enlarged ? pan(-PAN_STEP, 0) : show(at - 1))],
      ['ArrowDown', () => pan(0, PAN_STEP)],
      ['ArrowUp', () => pan(0, -PAN_STEP)],
      ['Home', () => show(0)],
      ['End', () => show(count - 1)],
      ['+', () => magnify(nextZoom(zoom, 1))],
      ['=', () => magnify(nextZoom(zoom, 1))],
      ['-', () => magnify(nextZoom(zoom, -1))],
      ['0', () => magnify(1)],
    ]);
    const act = keys.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  }

  function onDoubleClick(event: MouseEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight } = event.currentTarget;
    magnify(zoom > 1 ? 1 : 2, {
      x: (event.clientX - box.left + scrollLeft) / scrollWidth,
      y: (event.clientY - box.top + scrollTop) / scrollHeight,
    });
  }

  return (
    <dialog {...element} className="gallery" aria-label={`${label}, full screen`} onKeyDown={onKeyDown}>
      {/* biome-ignore lint/a11y/useSemanticElements: the scrolling part is a group, but not a fieldset */}
      <div
        role="group"
        aria-label={label}
        className={zoom > 1 ? 'gallery-track gallery-zoomed' : 'gallery-track'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
        tabIndex={0}
        {...row}
      >
        {images.map((image, index) => (
          <div
            key={image.src}
            className="gallery-slide"
            aria-hidden={index === at ? undefined : true}
            onDoubleClick={onDoubleClick}
          >
            {(Math.abs(index - at) <= 1 || Math.abs(index - at) === count - 1) && (
              <div
                style={index === at && zoom > 1 ? { width: `${zoom * 100}%`, height: `${zoom * 100}%` } : {}}
              >
                <Picture
                  {...image}
                  placeholder={undefined}
                  className="gallery-picture"
                  sizes={`${index === at ? zoom * 100 : 100}vw`}
                  priority={index === at}
                />
              </div>
            )}
          </div>
        ))}
      </div>
      {many && (
        <>
          <button
            type="button"
            className="arrow prev"
            aria-label="Previous image"
            onClick={() => show(at - 1)}
          >
            <Icon of={ChevronLeft} size={20} />
          </button>
          <button type="button" className="arrow next" aria-label="Next image" onClick={() => show(at + 1)}>
            <Icon of={ChevronRight} size={20} />
          </button>
        </>
      )}
      {caption && <p className="gallery-caption">{caption}</p>}
      <div className="gallery-bar">
        <p className="gallery-count" aria-hidden="true">
          {at + 1} / {count}
        </p>
        <p className="vh" aria-live="polite">
          Image {at + 1} of {count}
          {caption && `: ${caption}`}
          {zoom > 1 && `, enlarged ${zoom} times`}
        </p>
        <IconButton
          label="Zoom out"
          icon={ZoomOut}
          aria-disabled={zoom === 1 || undefined}
          onClick={() => magnify(nextZoom(zoom, -1))}
        />
        <IconButton
          label="Zoom in"
          icon={ZoomIn}
          aria-disabled={zoom === ZOOMS.at(-1) || undefined}
          onClick={() => magnify(nextZoom(zoom, 1))}
        />
        <form method="dialog">
          <IconButton type="submit" label="Close" icon={X} />
        </form>
      </div>
    </dialog>
  );
}

/** The point of an enlarged picture that is in the middle of the screen, as fractions of its size. */
function middleOf(slide: HTMLElement | undefined): { x: number; y: number } {
  if (!slide) return { x: 0.5, y: 0.5 };
  return {
    x: (slide.scrollLeft + slide.clientWidth / 2) / slide.scrollWidth,
    y: (slide.scrollTop + slide.clientHeight / 2) / slide.scrollHeight,
  };
}
