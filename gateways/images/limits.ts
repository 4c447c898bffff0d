import { ImageRefused } from './port.ts';

// Checks that need no decoding: the browser runs them before an upload, the server repeats them.

/** 15 MB. */
export const MAX_IMAGE_BYTES = 15_000_000;

/** How many leading bytes identify a HEIC photo. */
export const HEIC_HEAD_BYTES = 12;
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

export const emptyImageError = () => new ImageRefused('empty', 'This file is empty.');

/** @param maxBytes the limit in bytes */
export const imageTooLargeError = (maxBytes: number = MAX_IMAGE_BYTES) =>
  new ImageRefused(
    'too-heavy',
    `This picture is too large: at most ${Math.floor(maxBytes / 1_000_000)} MB are allowed.`,
  );

export const heicImageError = () =>
  new ImageRefused(
    'heic',
    'HEIC photos cannot be read here. Please save the photo as JPEG and upload that; iPhones do so with the camera format "Most Compatible".',
  );

/** Whether a file that starts with these bytes is a HEIC photo, the default format of iPhones. */
export function isHeic(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(4, HEIC_HEAD_BYTES));
  return text.startsWith('ftyp') && HEIC_BRANDS.includes(text.slice(4));
}
