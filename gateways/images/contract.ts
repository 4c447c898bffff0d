import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ImageKind, ImageProcessor, ProcessedImage } from './port.ts';

const RED = { r: 200, g: 30, b: 30 };
/** A grey that survives the round trip through CMYK within the tolerance below. */
const GREY = { r: 180, g: 180, b: 180 };

/** A plain picture, red by default. */
function plain(width: number, height: number, background: object = RED): Sharp {
  return sharp({ create: { width, height, channels: 3, background: background as typeof RED } });
}

async function colorAt(bytes: Uint8Array, left: number, top: number): Promise<number[]> {
  const point = sharp(bytes).extract({ left, top, width: 1, height: 1 });
  return [...(await point.raw().toBuffer())].slice(0, 3);
}

function expectColor(color: number[], [r, g, b]: [number, number, number]): void {
  for (const [index, value] of [r, g, b].entries())
    expect(Math.abs((color[index] ?? -999) - value)).toBeLessThan(14);
}

const largest = ({ variants }: ProcessedImage) => variants.at(-2)?.bytes ?? new Uint8Array();

/** Renditions contain pixels and nothing else: no EXIF, GPS, XMP, IPTC, comments, color profile or orientation. */
export async function expectNoMetadata({ variants }: ProcessedImage): Promise<void> {
  for (const { bytes, format, width, height } of variants) {
    const seen = await sharp(bytes).metadata();
    expect(seen).toMatchObject({ format: format === 'avif' ? 'heif' : 'webp', width, height, space: 'srgb' });
    expect(seen).toMatchObject({ channels: 3, hasAlpha: false, hasProfile: false });
    for (const field of [
      'exif',
      'xmp',
      'iptc',
      'icc',
      'comments',
      'tifftagPhotoshop',
      'orientation',
    ] as const)
      expect(seen[field], field).toBeUndefined();
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/EXIF|http:\/\/ns\.adobe|GPS|ICCP/);
  }
}

/** Contract tests for every image processor. */
export function imageContract(name: string, process: ImageProcessor): void {
  describe(`pictures: ${name}`, () => {
    test('makes every width in WebP and AVIF, smallest first, preserving the aspect ratio', async () => {
      const bytes = await plain(2400, 1600).jpeg().toBuffer();
      const made = await process(bytes);
      expect(made).toMatchObject({ width: 2400, height: 1600 });
      expect(made.variants.map(({ width, height, format }) => `${width}x${height} ${format}`)).toEqual(
        ['320x213', '640x427', '1280x853', '2048x1365'].flatMap((size) => [`${size} webp`, `${size} avif`]),
      );
      expect(made.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expectColor(await colorAt(largest(made), 1000, 700), [200, 30, 30]);
      await expectNoMetadata(made);
    });

    test.each([
      [1000, [320, 640, 1000]],
      [640, [320, 640]],
      [320, [320]],
      [7, [7]],
      [2048, [320, 640, 1280, 2048]],
    ])('never enlarges: %j wide becomes %j', async (width, widths) => {
      const { variants } = await process(await plain(width, 40).png().toBuffer());
      expect(variants.filter(({ format }) => format === 'webp').map((made) => made.width)).toEqual(widths);
    });

    test('very tall pictures become narrower so that their height is bounded', async () => {
      const made = await process(await plain(900, 20_000).jpeg().toBuffer());
      expect(made).toMatchObject({ width: 900, height: 20_000 });
      expect(made.variants.at(-1)).toMatchObject({ width: 123, height: 2731 });
    });

    test('the placeholder is a tiny picture in the same colors', async () => {
      const { placeholder } = await process(await plain(900, 600).jpeg().toBuffer());
      expect(placeholder.length).toBeLessThanOrEqual(300);
      const [, base64 = ''] = /^data:image\/webp;base64,(.+)$/.exec(placeholder) ?? [];
      const tiny = Buffer.from(base64, 'base64');
      expect(await sharp(tiny).metadata()).toMatchObject({ width: 16, height: 11 });
      expectColor(await colorAt(tiny, 8, 5), [200, 30, 30]);
    });

    test.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i is applied and then removed', async (orientation) => {
      // Four quadrants in four colors distinguish every rotation and mirroring.
      const quarters = [
        [255, 255, 0],
        [0, 0, 255],
        [0, 160, 0],
      ].map(([r = 0, g = 0, b = 0], index) => ({
        input: { create: { width: 60, height: 40, channels: 3 as const, background: { r, g, b } } },
        left: index === 1 ? 0 : 60,
        top: index === 0 ? 0 : 40,
      }));
      const upload = await plain(120, 80).composite(quarters).withMetadata({ orientation }).png().toBuffer();
      const wanted = sharp(await sharp(upload).autoOrient().png().toBuffer());
      const { width, height } = await wanted.metadata();
      const made = await process(upload);
      expect(made).toMatchObject({ width, height });
      for (const [left, top] of [
        [15, 15],
        [width - 15, 15],
        [15, height - 15],
        [width - 15, height - 15],
      ] as const)
        expectColor(
          await colorAt(largest(made), left, top),
          (await colorAt(await wanted.toBuffer(), left, top)) as [number, number, number],
        );
      await expectNoMetadata(made);
    });

    test('removes GPS position, camera, text and comments', async () => {
      const upload = await plain(400, 300)
        .withExif({ IFD0: { Copyright: 'Somebody', Make: 'Camera' }, IFD3: { GPSLatitude: '43/1 38/1 0/1' } })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
        .jpeg()
        .toBuffer();
      expect((await sharp(upload).metadata()).exif).toBeDefined();
      await expectNoMetadata(await process(upload));
    });

    test('appended data does not survive', async () => {
      const upload = Buffer.concat([
        await plain(50, 50).jpeg().toBuffer(),
        Buffer.from('<?php evil(); ?>PK\u0003\u0004'),
      ]);
      const { variants } = await process(upload);
      for (const { bytes } of variants) expect(Buffer.from(bytes).includes('evil')).toBe(false);
    });

    test.each<[string, () => Sharp]>([
      ['grey', () => plain(64, 64, GREY).toColourspace('b-w').png()],
      ['16 bits a channel', () => plain(64, 64, GREY).toColourspace('rgb16').png()],
      ['a palette', () => plain(64, 64, GREY).png({ palette: true })],
      ['CMYK with its profile', () => plain(64, 64, GREY).withIccProfile('cmyk').jpeg()],
      ['a wide color space', () => plain(64, 64, GREY).withIccProfile('p3').jpeg()],
    ])('reads %s and produces sRGB', async (_, picture) => {
      const made = await process(await picture().toBuffer());
      expectColor(await colorAt(largest(made), 32, 32), [180, 180, 180]);
      await expectNoMetadata(made);
    });

    test('a wide color space is converted, not relabelled', async () => {
      const made = await process(await plain(64, 64).withIccProfile('p3').png().toBuffer());
      expectColor(await colorAt(largest(made), 32, 32), [200, 30, 30]);
    });

    test('transparency becomes white', async () => {
      const background = { r: 0, g: 0, b: 0, alpha: 0 };
      const upload = sharp({ create: { width: 40, height: 40, channels: 4, background } });
      const made = await process(await upload.png().toBuffer());
      expectColor(await colorAt(largest(made), 20, 20), [255, 255, 255]);
      await expectNoMetadata(made);
    });

    test.each<[ImageKind, (picture: Sharp) => Sharp]>([
      ['jpeg', (picture) => picture.jpeg({ progressive: true })],
      ['png', (picture) => picture.png({ progressive: true })],
      ['webp', (picture) => picture.webp({ lossless: true })],
    ])('accepts %s unless the caller is stricter', async (kind, encode) => {
      const bytes = await encode(plain(80, 60)).toBuffer();
      expect(await process(bytes)).toMatchObject({ width: 80, height: 60 });
      const others = (['jpeg', 'png', 'webp'] as const).filter((other) => other !== kind);
      await expect(process(bytes, { accept: others })).rejects.toMatchObject({ reason: 'unsupported' });
    });

    test.each<[string, (picture: Sharp) => Sharp]>([
      ['AVIF', (picture) => picture.avif({ effort: 0 })],
      ['GIF', (picture) => picture.gif()],
    ])('rejects %s', async (_, encode) => {
      const bytes = await encode(plain(80, 60)).toBuffer();
      await expect(process(bytes)).rejects.toMatchObject({ reason: 'unsupported' });
    });

    test('uses the first frame of an animation', async () => {
      const frames = await Promise.all(
        [RED, { r: 0, g: 0, b: 255 }].map((color) => plain(60, 60, color).png().toBuffer()),
      );
      const animation = sharp(frames, { join: { animated: true } });
      const made = await process(await animation.clone().webp().toBuffer());
      expect(made).toMatchObject({ width: 60, height: 60 });
      expectColor(await colorAt(largest(made), 30, 30), [200, 30, 30]);
      const gif = await animation.clone().gif().toBuffer();
      await expect(process(gif)).rejects.toMatchObject({ reason: 'unsupported' });
    });

    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    test.each<[string, string, string | Uint8Array]>([
      ['nothing', 'empty', ''],
      ['SVG', 'unsupported', svg],
      ['SVG with a declaration', 'unsupported', `<?xml version="1.0"?>\n<!DOCTYPE svg>${svg}`],
      ['SVG behind the first bytes of a GIF', 'unsupported', `GIF89a${svg}`],
      ['HTML', 'unsupported', '<!doctype html><title>x</title>'],
      ['PDF', 'unsupported', '%PDF-1.7\n1 0 obj'],
      ['TIFF', 'unsupported', new Uint8Array([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0])],
      ['a bitmap', 'unsupported', `BM${'\0'.repeat(60)}`],
      ['text', 'unsupported', 'just words'],
      ['the beginning of a JPEG', 'damaged', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ])('rejects %s as %s, with a message for the user', async (_, reason, content) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      await expect(process(bytes)).rejects.toMatchObject({
        name: 'ImageRefused',
        reason,
        message: expect.stringMatching(/^[A-Z].+\.$/),
      });
    });

    test('names the accepted formats', async () => {
      const bytes = new TextEncoder().encode(svg);
      const sentence = 'This file is not a picture we can use. Please choose a JPEG, PNG, WebP or HEIC file.';
      await expect(process(bytes)).rejects.toMatchObject({ message: sentence });
      await expect(process(bytes, { accept: ['png'] })).rejects.toThrow(/choose a PNG file\.$/);
    });

    test('rejects a file that is too large before decoding it', async () => {
      await expect(process(new Uint8Array(15_000_001))).rejects.toMatchObject({
        reason: 'too-heavy',
        message: 'This picture is too large: at most 15 MB are allowed.',
      });
      const heavy = process(new Uint8Array(5_000_001), { maxBytes: 5_000_000 });
      await expect(heavy).rejects.toThrow(/at most 5 MB/);
    });

    test('rejects an image that claims more than 60 megapixels, however small the file', async () => {
      const wide = sharp({
        create: { width: 10_000, height: 6_001, channels: 3, background: RED },
        limitInputPixels: false,
      });
      const upload = await wide.png({ compressionLevel: 9 }).toBuffer();
      expect(upload.length).toBeLessThan(1_000_000);
      await expect(process(upload)).rejects.toMatchObject({
        reason: 'too-many-pixels',
        message: 'This picture has too many pixels: at most 60 megapixels are allowed.',
      });
    });

    test('rejects a truncated picture, wherever it is cut', async () => {
      const grain = { type: 'gaussian', mean: 128, sigma: 40 } as const;
      const noise = sharp({
        create: { width: 300, height: 200, channels: 3, background: RED, noise: grain },
      });
      for (const bytes of [await noise.clone().jpeg().toBuffer(), await noise.clone().png().toBuffer()])
        for (const share of [0.2, 0.5, 0.9])
          await expect(process(bytes.subarray(0, bytes.length * share))).rejects.toMatchObject({
            reason: 'damaged',
          });
    });
  });
}
