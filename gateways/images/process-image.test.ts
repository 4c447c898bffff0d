import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sampleFiles } from '#tests/support/files/photos.ts';
import { expectNoMetadata, imageContract } from './contract.ts';
import { ImageRefused } from './port.ts';
import { processImage } from './process-image.ts';
import { variantWidths } from './sources.ts';

imageContract('sharp', processImage);

/** CPU time rather than wall-clock time, so that a busy machine makes no difference. */
async function withSeconds<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1_000_000 };
}

describe('files', () => {
  test.each(sampleFiles('photos'))(
    'the photo $name becomes clean renditions within 5 s',
    { timeout: 30_000 },
    async ({ buffer }) => {
      const { result, seconds } = await withSeconds(() => processImage(buffer));
      expect(seconds).toBeLessThan(5);
      expect(result.variants).toHaveLength(2 * variantWidths(result).length);
      expect(result.placeholder.length).toBeLessThanOrEqual(300);
      await expectNoMetadata(result);
    },
  );

  const OUTCOMES: Record<string, string> = {
    'bomb.gif': 'unsupported',
    'broken-heic.heic': 'damaged',
    'broken-stream.png': 'damaged',
    'claims-64250x64250.jpg': 'too-many-pixels',
    'cmyk-no-profile.jpg': '500x333',
    'corrupt-header.jpg': 'damaged',
    'exif-gps.jpg': '8x8',
    'exif-rotated.jpg': '1200x900',
    'iphone.heic': '384x512',
    'jpeg-mp3-polyglot.jpg': '6x2',
    'truncated.jpg': 'damaged',
  };
  test.each(sampleFiles('awkward-photos'))(
    'the awkward file $name is handled within 5 s',
    async ({ name, buffer }) => {
      const { result, seconds } = await withSeconds(() =>
        processImage(buffer).catch((error: unknown) => error),
      );
      expect(seconds).toBeLessThan(5);
      if (result instanceof ImageRefused) {
        expect(result.reason).toBe(OUTCOMES[name]);
        expect(result.message).toMatch(/^[A-Z].+\.$/);
        return;
      }
      expect(result).not.toBeInstanceOf(Error);
      const image = result as Awaited<ReturnType<typeof processImage>>;
      expect(`${image.width}x${image.height}`).toBe(OUTCOMES[name]);
      await expectNoMetadata(image);
    },
  );
});

test('many uploads at once stay below 600 MB', { timeout: 120_000 }, async () => {
  const script = fileURLToPath(new URL('memory-probe.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    // Same as in the start script: without it glibc does not return the encoders' memory to the system.
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '1000000' },
  });
  const { done, peakMegabytes } = JSON.parse(stdout);
  expect(done).toBe(6);
  expect(peakMegabytes).toBeLessThan(600);
});
