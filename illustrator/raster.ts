import sharp from 'sharp';

/**
 * Renders an SVG picture for clients that do not support SVG (Open Graph, mail). Cropped from the middle to fill
 * `width` × `height` pixels. JPEG by default, PNG for lossless output.
 */
export async function rasterise(
  svg: string,
  width: number,
  height: number,
  format: 'jpeg' | 'png' = 'jpeg',
): Promise<Buffer> {
  const image = sharp(Buffer.from(svg), { limitInputPixels: 4_000_000 }).resize(width, height, {
    fit: 'cover',
    position: 'centre',
  });
  return format === 'png'
    ? image.png({ compressionLevel: 9 }).toBuffer()
    : image.flatten({ background: '#ffffff' }).jpeg({ quality: 84, progressive: true }).toBuffer();
}
