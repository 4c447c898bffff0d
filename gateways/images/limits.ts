import { ImageRefused } from './port.ts';

// What can be told of a file without decoding it: the browser says so before it sends anything, the gate says it again.

/** 15 MB (B-101). */
export const MAX_BYTES = 15_000_000;

/** The first bytes that tell whether a file is a HEIC photo. */
export const HEIC_HEAD_BYTES = 12;
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

export const emptyImage = () => new ImageRefused('empty', 'This file is empty.');

/** @param maxBytes the most that is allowed, in bytes */
export const heavyImage = (maxBytes: number = MAX_BYTES) =>
  new ImageRefused(
    'too-heavy',
    `This picture is too large: at most ${Math.floor(maxBytes / 1_000_000)} MB are allowed.`,
  );

export const heicImage = () =>
  new ImageRefused(
    'heic',
    'HEIC photos cannot be read here. Please save the photo as JPEG and upload that; iPhones do so with the camera format "Most Compatible".',
  );

/** Whether a file that begins with these bytes is a HEIC photo, as iPhones keep them. */
export function isHeic(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(4, HEIC_HEAD_BYTES));
  return text.startsWith('ftyp') && HEIC_BRANDS.includes(text.slice(4));
}
