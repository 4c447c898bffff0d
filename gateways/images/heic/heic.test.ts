import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { heicFile } from '#tests/support/files/heic.ts';
import { expectNoMetadata } from '../contract.ts';
import { processImage } from '../process-image.ts';
import { decodeHeic } from './decode-heic.ts';

type Color = readonly [number, number, number];
const RED: Color = [200, 30, 30];
const YELLOW: Color = [255, 255, 0];
const BLUE: Color = [0, 0, 255];
const GREEN: Color = [0, 160, 0];

/** The colors of a picture's four quarters, row by row. */
async function quartersOf(bytes: Uint8Array): Promise<string> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const nameAt = (left: number, top: number): string => {
    const at = 3 * (Math.round(top * info.height) * info.width + Math.round(left * info.width));
    const seen = [...data.subarray(at, at + 3)];
    const named = Object.entries({ red: RED, yellow: YELLOW, blue: BLUE, green: GREEN });
    const near = (color: Color) => color.every((value, index) => Math.abs(value - (seen[index] ?? 0)) < 25);
    return named.find(([, color]) => near(color))?.[0] ?? `rgb(${seen})`;
  };
  return [nameAt(0.2, 0.2), nameAt(0.8, 0.2), nameAt(0.2, 0.8), nameAt(0.8, 0.8)].join(' ');
}

const largest = (made: Awaited<ReturnType<typeof processImage>>) =>
  made.variants.at(-2)?.bytes ?? new Uint8Array();

/** EXIF data of a camera: the orientation, a position and a name. */
async function exif(orientation: number): Promise<Uint8Array> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#285c41' } })
    .jpeg()
    .withMetadata({ orientation })
    .withExifMerge({ IFD0: { Make: 'Acre' }, IFD3: { GPSLatitude: '43/1 41/1 0/1' } });
  const { exif: data } = await sharp(await picture.toBuffer()).metadata();
  // Without 'Exif' and two zeros, which a HEIC file does not repeat.
  return data?.subarray(6) ?? new Uint8Array();
}

describe('orientation', () => {
  test.each([
    [0, undefined, '120x80', 'red yellow blue green'],
    [1, undefined, '80x120', 'yellow green red blue'],
    [2, undefined, '120x80', 'green blue yellow red'],
    [3, undefined, '80x120', 'blue red green yellow'],
    [0, 0, '120x80', 'blue green red yellow'],
    [0, 1, '120x80', 'yellow red green blue'],
    [3, 1, '80x120', 'red blue yellow green'],
  ] as const)('%i quarter turns and mirroring %o are applied once', async (turns, mirror, size, colors) => {
    // Cameras write the rotation into EXIF as well; it must not be applied a second time.
    const bytes = heicFile({
      frame: 'quarters',
      turns,
      ...(mirror !== undefined && { mirror }),
      exif: await exif(6),
    });
    const made = await processImage(bytes);
    expect(`${made.width}x${made.height}`).toBe(size);
    expect(await quartersOf(largest(made))).toBe(colors);
    await expectNoMetadata(made);
  });
});

test('a photograph of 48 megapixels in tiles becomes every rendition', { timeout: 120_000 }, async () => {
  const grid = { columns: 16, rows: 12 };
  const made = await processImage(heicFile({ frame: 'tile', grid, width: 8064, height: 6048, turns: 3 }));
  expect(made).toMatchObject({ width: 6048, height: 8064 });
  expect(made.variants.map(({ width }) => width)).toEqual([320, 320, 640, 640, 1280, 1280, 2048, 2048]);
  expect(await quartersOf(largest(made))).toBe('red red red red');
});

test('the colors of a profile are converted', async () => {
  const wide = sharp({ create: { width: 8, height: 8, channels: 3, background: '#285c41' } }).withIccProfile(
    'p3',
  );
  const { icc } = await sharp(await wide.png().toBuffer()).metadata();
  if (!icc) throw new Error('A picture with a profile has none');
  const made = await processImage(heicFile({ frame: 'tile', profile: icc }));
  const [red = 0, green = 255, blue = 255] = (await sharp(largest(made)).raw().toBuffer()).subarray(0, 3);
  // Red of 200 in Display P3 lies further out than that of sRGB.
  expect(red).toBeGreaterThan(210);
  expect(Math.max(green, blue)).toBeLessThan(25);
  await expectNoMetadata(made);
});

describe('hostile files', () => {
  test.each([
    ['a claimed size', { frame: 'quarters', width: 10_000, height: 5_001 }],
    ['a grid of tiles', { frame: 'tile', grid: { columns: 20, rows: 20 } }],
    ['a huge claim', { frame: 'quarters', width: 4_000_000_000, height: 4_000_000_000 }],
  ] as const)('%s of more than 50 megapixels is refused', async (_, options) => {
    await expect(processImage(heicFile(options))).rejects.toMatchObject({
      name: 'ImageRefused',
      reason: 'too-many-pixels',
      message: 'This picture has too many pixels: at most 50 megapixels are allowed.',
    });
  });

  test('a file that is cut anywhere is damaged', async () => {
    const bytes = heicFile({ frame: 'quarters' });
    for (const share of [0.1, 0.6, 0.99])
      await expect(processImage(bytes.subarray(0, bytes.length * share))).rejects.toMatchObject({
        reason: 'damaged',
        message: 'This picture is damaged or incomplete. Please choose another file.',
      });
  });

  test('a picture in another codec is refused with the kinds that can be used', async () => {
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: '#285c41' } });
    const other = await picture.avif({ effort: 0 }).toBuffer();
    other.write('heic', other.indexOf('ftyp') + 4);
    await expect(processImage(other)).rejects.toMatchObject({
      reason: 'unsupported',
      message: 'This file is not a picture we can use. Please choose a JPEG, PNG, WebP or HEIC file.',
    });
  });

  test('a picture that takes too long is given up', async () => {
    const bytes = heicFile({ frame: 'tile', grid: { columns: 13, rows: 13 } });
    await expect(decodeHeic(bytes, { timeoutMs: 1 })).rejects.toMatchObject({ reason: 'damaged' });
    expect(await decodeHeic(heicFile({ frame: 'quarters' }))).toMatchObject({ width: 120, height: 80 });
  });

  test('a picture that takes too much memory is given up', async () => {
    const bytes = heicFile({ frame: 'tile', grid: { columns: 8, rows: 8 } });
    const refused = { name: 'ImageRefused' };
    await expect(decodeHeic(bytes, { memory: 60_000_000 })).rejects.toMatchObject(refused);
    // Enough by libheif's own count, which leaves out the codec.
    await expect(decodeHeic(bytes, { memory: 76_000_000 })).rejects.toMatchObject(refused);
    expect(await decodeHeic(bytes, { memory: 120_000_000 })).toMatchObject({ width: 4096, height: 4096 });
  });

  test('random changes never end the process', { timeout: 120_000 }, async () => {
    const good = heicFile({ frame: 'quarters', turns: 1 });
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 8; round += 1) {
      const bytes = Buffer.from(good);
      for (let change = 0; change < 3; change += 1) bytes[40 + random(bytes.length - 40)] = random(256);
      const outcome = await processImage(bytes).catch((error: unknown) => error);
      expect(outcome).toSatisfy((one: Error) => !(one instanceof Error) || one.name === 'ImageRefused');
    }
  });
});

test('who handles no HEIC file does not load its decoder', () => {
  const source = `
    const { processImage } = await import('${join(projectRoot, 'gateways/images/process-image.ts')}');
    const { default: sharp } = await import('sharp');
    const picture = { create: { width: 9, height: 9, channels: 3, background: '#285c41' } };
    await processImage(await sharp(picture).png().toBuffer());
    const { createRequire } = await import('node:module');
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.filter((file) => file.includes('libheif')).length);`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', source], { cwd: projectRoot });
  expect(out.toString().trim()).toBe('0');
});
