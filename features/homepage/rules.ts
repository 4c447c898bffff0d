import type { ImageLimits } from '#gateways/images/port.ts';
import { hasRole } from '#platform/access.ts';
import { oneLine, visibleText } from '#platform/typed-text.ts';

export const mayEditHomepage = hasRole('admin');

/** Most characters of each text, counted as code points. */
export const HERO_LIMITS = { title: 60, subtitle: 160 } as const;

/** What may be uploaded as the hero's picture; the kind is found by the file's content. */
export const HERO_IMAGE = {
  maxBytes: 5 * 1024 * 1024,
  accept: ['jpeg', 'png', 'webp'],
} as const satisfies ImageLimits;

const RECOMMENDED = { width: 1920, height: 1080 };

export const homepageMessages = {
  saved: 'Homepage content updated successfully',
  failed: 'Failed to update homepage content',
  uploaded: 'Image uploaded successfully',
  uploadFailed: 'Failed to upload image',
  tooLarge: 'File size must be less than 5MB',
  newer: 'This record was changed by someone else',
  imageGone: 'This image is no longer stored. Please upload it again.',
};

/** The length of a text in code points. */
export const lengthOf = (text: string): number => [...text].length;

/** What is said of a picture that is smaller than recommended, by its width and height in pixels; null for others. */
export const smallImageWarning = ({ width, height }: { width: number; height: number }): string | null =>
  width < RECOMMENDED.width || height < RECOMMENDED.height
    ? `Image dimensions (${width}x${height}) are smaller than recommended (${RECOMMENDED.width}x${RECOMMENDED.height}). This may affect quality.`
    : null;

export type HomepageErrors = Partial<Record<'title' | 'subtitle' | 'image', string>>;

/** The texts as they are saved, or what is wrong with them. */
export function checkHomepage(typed: {
  title: string;
  subtitle: string;
}): { ok: true; title: string; subtitle: string } | { ok: false; errors: HomepageErrors } {
  const title = oneLine(visibleText(typed.title));
  const subtitle = oneLine(visibleText(typed.subtitle));
  const errors: HomepageErrors = {};
  if (title === '') errors.title = 'Hero title is required';
  if (lengthOf(title) > HERO_LIMITS.title)
    errors.title = `The title can have at most ${HERO_LIMITS.title} characters`;
  if (lengthOf(subtitle) > HERO_LIMITS.subtitle)
    errors.subtitle = `The subtitle can have at most ${HERO_LIMITS.subtitle} characters`;
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, title, subtitle };
}

/** A text as a limit leaves it, and where the caret belongs in it, in UTF-16 units. */
interface FittedText {
  text: string;
  caret: number;
}

/**
 * What a text field with a limit holds after an edit: of what was inserted, only what fits is kept, and nothing that stood
 * there before is lost.
 * @param caret where the browser has put it in `after`
 * @param max in code points
 */
export function fitText(before: string, after: string, caret: number, max: number): FittedText {
  if (lengthOf(after) <= max) return { text: after, caret };
  const tail = after.slice(caret);
  // What stands behind the caret was there before; the same is true of the longest common beginning.
  let start = 0;
  const limit = Math.min(caret, before.length - tail.length);
  while (start < limit && before[start] === after[start]) start++;
  const head = after.slice(0, start);
  const room = Math.max(0, max - lengthOf(head) - lengthOf(tail));
  const inserted = [...after.slice(start, caret)].slice(0, room).join('');
  const text = head + inserted + tail;
  return { text: lengthOf(text) <= max ? text : before, caret: start + inserted.length };
}
