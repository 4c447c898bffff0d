import {
  emptyImage,
  HEIC_HEAD_BYTES,
  heavyImage,
  heicImage,
  isHeic,
  MAX_BYTES,
} from '#gateways/images/limits.ts';
import { hasRole, nobody, type Permission } from '#platform/access.ts';
import { ALT_LIMIT, CAPTION_LIMIT, MOST_PHOTOS, type Photo, type PhotoRefusal } from './model.ts';

/** Sellers see the photographs of their own listings, a suspended one too (B-098). */
export const maySeePhotos = hasRole('agent');

/** Whose listing it is, the command asks the listing; a suspended seller only reads (B-098). */
export const mayChangePhotos: Permission = (actor) =>
  maySeePhotos(actor) && !(actor.kind === 'user' && actor.suspended);

/** What nothing shows is swept by the clock. */
export const maySweepPhotos = nobody;

export const refusalText: Record<Exclude<PhotoRefusal, 'picture'>, string> = {
  sold: 'This property is sold: its photos can no longer be changed.',
  full: `A listing has at most ${MOST_PHOTOS} photos.`,
  twice: 'This photo is already in this listing.',
  too_long: `A caption has at most ${CAPTION_LIMIT} characters, a description at most ${ALT_LIMIT}.`,
};

/**
 * Why a chosen file need not be sent at all, or null: it is empty, too heavy, or a HEIC photo. The server looks again, and
 * closer.
 */
export async function refusalOf(file: Blob): Promise<string | null> {
  if (file.size === 0) return emptyImage().message;
  if (file.size > MAX_BYTES) return heavyImage().message;
  const head = new Uint8Array(await file.slice(0, HEIC_HEAD_BYTES).arrayBuffer());
  return isHeic(head) ? heicImage().message : null;
}

const numbered = (photos: readonly Photo[]): Photo[] =>
  photos.map((photo, position) => ({ ...photo, position }));

/** The photographs with one of them at another place among those that are not the main one; `to` counts from 0. */
export function moved(photos: readonly Photo[], id: string, to: number): Photo[] {
  const main = photos.filter(({ isMain }) => isMain);
  const others = photos.filter(({ isMain }) => !isMain);
  const from = others.findIndex((photo) => photo.id === id);
  const [photo] = from < 0 ? [] : others.splice(from, 1);
  if (photo) others.splice(Math.max(0, Math.min(to, others.length)), 0, photo);
  return numbered([...main, ...others]);
}

/** The photographs with another main one; the former takes the place that became free. */
export function withMain(photos: readonly Photo[], id: string): Photo[] {
  const chosen = photos.find((photo) => photo.id === id);
  if (!chosen || chosen.isMain) return [...photos];
  const former = photos.find(({ isMain }) => isMain);
  const others = photos
    .filter(({ isMain }) => !isMain)
    .flatMap((photo) => (photo.id !== id ? [photo] : former ? [{ ...former, isMain: false }] : []));
  return numbered([{ ...chosen, isMain: true }, ...others]);
}

/** The photographs without one; the next takes over from the main one (B-039). */
export function without(photos: readonly Photo[], id: string): Photo[] {
  const left = photos.filter((photo) => photo.id !== id);
  return left.map((photo, index) => ({ ...photo, isMain: index === 0 }));
}

/**
 * What the server says, with the photographs that are known here and were not there yet when it said so: answers of uploads
 * that run at the same time may come in any order.
 * @param gone ids that were taken away here
 */
export function merged(known: readonly Photo[], said: readonly Photo[], gone: ReadonlySet<string>): Photo[] {
  const there = said.filter(({ id }) => !gone.has(id));
  const hasMain = there.some(({ isMain }) => isMain);
  const missed = known
    .filter(({ id }) => !gone.has(id) && !there.some((photo) => photo.id === id))
    .map((photo) => ({ ...photo, isMain: photo.isMain && !hasMain }));
  return [...there, ...missed].sort(
    (one, other) => Number(other.isMain) - Number(one.isMain) || one.position - other.position,
  );
}

/** Names a photograph for people who do not see it: its caption or description, else its place, the main one first. */
export const photoName = ({ caption, alt }: Pick<Photo, 'caption' | 'alt'>, index: number): string =>
  caption || alt || (index === 0 ? 'Main photo' : `Photo ${index + 1}`);
