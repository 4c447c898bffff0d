import { type ComponentType, useEffect, useRef, useState } from 'react';
import type { CarouselPlace } from './carousel.tsx';
import type { GalleryProps } from './gallery.tsx';
import { Icon } from './icon.tsx';
import type { ImageSet } from './picture.tsx';
import { Maximize } from './property-glyphs.ts';
import { toast } from './toast.ts';

interface Props {
  images: readonly ImageSet[];
  /** Names the gallery ('Pictures of 48 Larkspur Lane'). */
  label: string;
  /** the carousel that it is laid over */
  place: CarouselPlace;
}

/**
 * Opens the pictures of a carousel in full screen: a button over it, and a click on a picture. The gallery's code is loaded
 * by the first click.
 */
export function GalleryOpener({ images, label, place }: Props) {
  const [Gallery, setGallery] = useState<ComponentType<GalleryProps> | null>(null);
  /** the picture that it was opened with; null while it is closed */
  const [first, setFirst] = useState<number | null>(null);
  const [loading, setLoading] = useState(false);
  /** A press before the code of this button is there would be lost. */
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const button = useRef<HTMLButtonElement>(null);
  const { at, go, track } = place;

  async function show() {
    // Closing the gallery returns the focus to where it is now.
    button.current?.focus({ preventScroll: true });
    if (Gallery) return setFirst(at);
    setLoading(true);
    try {
      const module = await import('./gallery.tsx');
      setGallery(() => module.Gallery);
      setFirst(at);
    } catch {
      toast({
        title: 'The photos could not be opened.',
        text: 'Please check your connection and try again.',
        tone: 'bad',
      });
    } finally {
      setLoading(false);
    }
  }

  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    const row = track.current;
    if (!row) return;
    const clicks = new AbortController();
    row.addEventListener('click', () => void latest.current(), { signal: clicks.signal });
    row.classList.add('opens');
    return () => {
      clicks.abort();
      row.classList.remove('opens');
    };
  }, [track]);

  return (
    <>
      <button
        type="button"
        className="enlarge needs-js"
        aria-label={images.length > 1 ? `View all ${images.length} in full screen` : 'View in full screen'}
        aria-haspopup="dialog"
        aria-busy={loading || undefined}
        ref={button}
        disabled={!ready}
        onClick={() => void show()}
      >
        <Icon of={Maximize} size={20} />
      </button>
      {first !== null && Gallery && (
        <Gallery
          images={images}
          label={label}
          first={first}
          onClose={(last) => {
            setFirst(null);
            go(last);
          }}
        />
      )}
    </>
  );
}
