import sharp from 'sharp';
import type { FileStore } from '../files/port.ts';
import { imageKey } from './sources.ts';

/**
 * A stored picture cropped to `width` × `height` pixels as JPEG, for clients that read nothing newer (Open Graph).
 * @throws FileStoreError; Error when the picture's files are missing
 */
export async function previewImage(
  files: FileStore,
  picture: { id: string; widths: readonly number[] },
  width: number,
  height: number,
): Promise<Uint8Array> {
  const sourceWidth = picture.widths.find((candidate) => candidate >= width) ?? picture.widths.at(-1) ?? 0;
  const file = await files.get(imageKey(picture.id, sourceWidth, 'webp'));
  if (!file) throw new Error(`The files of picture ${picture.id} are missing`);
  const bytes = await new Response(file.body).arrayBuffer();
  return sharp(Buffer.from(bytes))
    .resize(width, height, { fit: 'cover' })
    .jpeg({ quality: 84, progressive: true })
    .toBuffer();
}
