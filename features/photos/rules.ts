import { HEAD_BYTES, isPicture, MAX_IMAGE_BYTES } from '#gateways/images/limits.ts';
import { emptyImageError, imageTooLargeError, unsupportedImageError } from '#gateways/images/refusals.ts';
import { hasRole, nobody, type Permission, sellerOf } from '#platform/access.ts';
import {
  ALT_LIMIT,
  CAPTION_LIMIT,
  MAX_PHOTOS,
  type Photo,
  type PhotoRefusal,
  type UploadsState,
} from './model.ts';

const isAdministrator = hasRole('admin');

/** Sellers see the photos of their own listings, even when suspended; administrators those of all. */
export const maySeePhotos = hasRole('agent', 'admin');

/** The command checks ownership; a suspended seller has read-only access. */
export const mayChangePhotos: Permission = (actor) =>
  sellerOf(actor)?.suspended === false || isAdministrator(actor);

/** Sweeping is done by a scheduled job only. */
export const maySweepPhotos = nobody;
/** Photos by address are fetched by a job only. */
export const mayAddFetchedPhotos = nobody;

/** Whether photos that were chosen will not be the property's, about which its user is asked before the form goes without them. */
export const lacksPhotos = ({ failed, refused }: UploadsState): boolean =>
  failed.length > 0 || refused.length > 0;

export const refusalMessages: Record<Exclude<PhotoRefusal, 'picture'>, string> = {
  sold: 'This property is sold: its photos can no longer be changed.',
  full: `A listing can have at most ${MAX_PHOTOS} photos.`,
  twice: 'This photo is already in this listing.',
  newer: 'This record was changed by someone else',
  too_long: `A caption can have at most ${CAPTION_LIMIT} characters, a description at most ${ALT_LIMIT}.`,
};

/**
 * Why a chosen file cannot be uploaded (empty, too large, or no picture by its first bytes), or null. The server checks
 * again, more thoroughly.
 */
export async function fileProblem(file: Blob): Promise<string | null> {
  if (file.size === 0) return emptyImageError().message;
  if (file.size > MAX_IMAGE_BYTES) return imageTooLargeError(MAX_IMAGE_BYTES).message;
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return isPicture(head) ? null : unsupportedImageError().message;
}

const renumbered = (photos: readonly Photo[]): Photo[] =>
  photos.map((photo, position) => ({ ...photo, position }));

/** The photos with one of them moved; `to` is an index among the additional photos. */
export function movePhoto(photos: readonly Photo[], id: string, to: number): Photo[] {
  const main = photos.filter(({ isMain }) => isMain);
  const others = photos.filter(({ isMain }) => !isMain);
  const from = others.findIndex((photo) => photo.id === id);
  const [photo] = from < 0 ? [] : others.splice(from, 1);
  if (photo) others.splice(Math.max(0, Math.min(to, others.length)), 0, photo);
  return renumbered([...main, ...others]);
}

/** The photos with another main one; the former takes its position. */
export function withMainPhoto(photos: readonly Photo[], id: string): Photo[] {
  const chosen = photos.find((photo) => photo.id === id);
  if (!chosen || chosen.isMain) return [...photos];
  const former = photos.find(({ isMain }) => isMain);
  const others = photos
    .filter(({ isMain }) => !isMain)
    .flatMap((photo) => (photo.id !== id ? [photo] : former ? [{ ...former, isMain: false }] : []));
  return renumbered([{ ...chosen, isMain: true }, ...others]);
}

/** The photos without one; the next is promoted if it was the main one. */
export function withoutPhoto(photos: readonly Photo[], id: string): Photo[] {
  const left = photos.filter((photo) => photo.id !== id);
  return left.map((photo, index) => ({ ...photo, isMain: index === 0 }));
}

/**
 * Merges the server's state with photos known locally that it did not contain yet: responses of concurrent uploads
 * may arrive in any order.
 * @param removedIds ids removed locally
 */
export function mergePhotos(
  known: readonly Photo[],
  fromServer: readonly Photo[],
  removedIds: ReadonlySet<string>,
): Photo[] {
  const there = fromServer.filter(({ id }) => !removedIds.has(id));
  const hasMain = there.some(({ isMain }) => isMain);
  const missed = known
    .filter(({ id }) => !removedIds.has(id) && !there.some((photo) => photo.id === id))
    .map((photo) => ({ ...photo, isMain: photo.isMain && !hasMain }));
  return [...there, ...missed].sort(
    (one, other) => Number(other.isMain) - Number(one.isMain) || one.position - other.position,
  );
}

/** Accessible label of a photo: its caption or description, else its position. */
export const photoName = ({ caption, alt }: Pick<Photo, 'caption' | 'alt'>, index: number): string =>
  caption || alt || (index === 0 ? 'Main photo' : `Photo ${index + 1}`);
