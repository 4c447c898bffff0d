// Checks that need no decoding: the browser runs them before an upload, the server repeats them.

/** 15 MB. */
export const MAX_IMAGE_BYTES = 15_000_000;

/** How many leading bytes tell the kind of a file. */
export const HEAD_BYTES = 12;

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
const HEIC_BRANDS = ['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1'];

/** Whether a file that starts with these bytes may be JPEG, PNG, WebP or HEIC, the default format of iPhones. */
export function isPicture(head: Uint8Array): boolean {
  const text = latin1(head.subarray(0, HEAD_BYTES));
  if (text.startsWith('\xff\xd8\xff') || text.startsWith('\x89PNG\r\n\x1a\n')) return true;
  if (text.startsWith('RIFF')) return text.slice(8) === 'WEBP';
  return text.slice(4, 8) === 'ftyp' && HEIC_BRANDS.includes(text.slice(8));
}
