import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { expectClean, imageContract } from './contract.ts';
import { ImageRefused } from './port.ts';
import { processImage } from './process.ts';
import { variantWidths } from './sources.ts';

imageContract('sharp', processImage);

const DATA = new URL('../../../shared/data/', import.meta.url);
const present = existsSync(DATA);
const why = present ? '' : ' (passed over: ../shared/data is absent)';
const namesIn = (folder: string) => (present ? readdirSync(new URL(folder, DATA)) : []);
const read = (path: string) => readFileSync(new URL(path, DATA));

/** Processor time rather than the clock's, so that a busy machine changes nothing. */
async function withSeconds<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, seconds: (user + system) / 1_000_000 };
}

describe.skipIf(!present)(`real files${why}`, () => {
  test.each(namesIn('photos-cc0/'))(
    'the photograph %s becomes clean renditions within 5 s',
    { timeout: 30_000 },
    async (name) => {
      const { result, seconds } = await withSeconds(() => processImage(read(`photos-cc0/${name}`)));
      expect(seconds).toBeLessThan(5);
      expect(result.variants).toHaveLength(2 * variantWidths(result).length);
      expect(result.placeholder.length).toBeLessThanOrEqual(300);
      await expectClean(result);
    },
  );

  const OUTCOMES: Record<string, string> = {
    'bomb.gif': '100x100',
    'broken-stream.png': 'damaged',
    'claims-64250x64250.jpg': 'too-many-pixels',
    'cmyk-no-profile.jpg': '500x333',
    'corrupt-header.jpg': 'damaged',
    'exif-gps.jpg': '8x8',
    'exif-rotated.jpg': '1800x1200',
    'iphone.heic': 'heic',
    'jpeg-mp3-polyglot.jpg': '6x2',
    'truncated.jpg': 'damaged',
  };
  test.each(namesIn('images-awkward/'))('the awkward file %s ends as it should within 5 s', async (name) => {
    const { result, seconds } = await withSeconds(() =>
      processImage(read(`images-awkward/${name}`)).catch((error: unknown) => error),
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
    await expectClean(image);
  });
});

test('many uploads at once stay below 600 MB', { timeout: 120_000 }, async () => {
  const script = fileURLToPath(new URL('memory-probe.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    // As the start script sets it: without it glibc keeps what the encoders gave back.
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '1000000' },
  });
  const { done, peakMegabytes } = JSON.parse(stdout);
  expect(done).toBe(8);
  expect(peakMegabytes).toBeLessThan(600);
});
