import { nobody } from '#platform/access.ts';

/** Photos by address are fetched by a job only. */
export const mayFetchPhotos = nobody;

/** Longest address, in characters. */
export const MAX_URL_LENGTH = 2000;
/** How often an address is tried. */
export const MAX_ATTEMPTS = 4;

export const remotePhotoMessages = {
  full: 'The listing has the maximum number of photos.',
  twice: 'The listing has this photo already.',
  removed: 'The listing was removed.',
  sold: 'The property is sold, so its photos stay as they are.',
  undone: 'The import was undone.',
  crashed: 'The photo could not be read.',
} as const;
