import sharp from 'sharp';
import { processImage } from './process-image.ts';

/**
 * Run as a separate process by the test: handles six pictures at once, three of 12 megapixels, two of 24 and one of 59,
 * and prints how many were processed and the peak resident memory.
 */
const upload = (width: number, height: number, color: string) =>
  sharp({ create: { width, height, channels: 3, background: color } });

const photos = Array.from({ length: 3 }, (_, index) =>
  upload(3000, 4000, `rgb(${index * 40}, 90, 60)`).jpeg(),
);
const large = [upload(6000, 4000, '#285c41'), upload(4000, 6000, '#c4963a')].map((one) =>
  one.jpeg({ progressive: true }),
);
const files: Buffer[] = [];
for (const picture of [...photos, ...large, upload(9400, 6300, '#1e4a34').png()])
  files.push(await picture.toBuffer());

const made = await Promise.all(files.map((bytes) => processImage(bytes)));
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1000);
process.stdout.write(JSON.stringify({ done: made.length, peakMegabytes }));
