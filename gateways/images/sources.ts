/** The widths of the renditions, in pixels. */
const IMAGE_WIDTHS = [320, 640, 1280, 2048] as const;

/** The height of a 3:4 portrait at the largest width; taller pictures become narrower instead, which bounds the work. */
const MAX_HEIGHT = 2731;

type Size = { width: number; height: number };

/** The size of the largest rendition of a picture: at most 2048 × 2731, never larger than the picture. */
export function largestSize({ width, height }: Size): Size {
  const scale = Math.min(1, IMAGE_WIDTHS[3] / width, MAX_HEIGHT / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The rendition widths of a picture of this size, ascending: the standard widths below its largest rendition, and that
 * one. Takes the width and height stored with the picture.
 */
export function variantWidths(size: Size): number[] {
  const largest = largestSize(size).width;
  return [...IMAGE_WIDTHS.filter((width) => width < largest), largest];
}

/** The file store key of one rendition. */
export function imageKey(id: string, width: number, format: 'webp' | 'avif'): string {
  return `images/${id}/${width}.${format}`;
}

/**
 * What `<picture>` needs: one `srcset` per format, smallest first, and a `src` for browsers without `srcset`, the smallest
 * rendition that fills a card on a high-density screen. Renditions are public and immutable.
 */
export function imageSources(
  id: string,
  widths: readonly number[],
): { avif: string; webp: string; src: string } {
  const ascending = [...widths].sort((one, other) => one - other);
  const set = (format: 'webp' | 'avif') =>
    ascending.map((width) => `/media/${imageKey(id, width, format)} ${width}w`).join(', ');
  const fallback = ascending.find((width) => width >= 1280) ?? ascending.at(-1);
  if (fallback === undefined) throw new RangeError('A picture has at least one width');
  return { avif: set('avif'), webp: set('webp'), src: `/media/${imageKey(id, fallback, 'webp')}` };
}
