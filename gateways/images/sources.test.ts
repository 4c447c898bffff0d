import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { imageSources, variantWidths } from './sources.ts';

test.each([
  [{ width: 4000, height: 3000 }, [320, 640, 1280, 2048]],
  [{ width: 3000, height: 4000 }, [320, 640, 1280, 2048]],
  [{ width: 1000, height: 10 }, [320, 640, 1000]],
  [{ width: 320, height: 200 }, [320]],
  [{ width: 1, height: 60_000 }, [1]],
  [{ width: 3000, height: 20_000 }, [320, 410]],
])('an image of %j has the widths %j', (size, widths) => {
  expect(variantWidths(size)).toEqual(widths);
});

test('lists every rendition for the browser', () => {
  expect(imageSources('abc', [1280, 320, 2048])).toEqual({
    avif: '/media/images/abc/320.avif 320w, /media/images/abc/1280.avif 1280w, /media/images/abc/2048.avif 2048w',
    webp: '/media/images/abc/320.webp 320w, /media/images/abc/1280.webp 1280w, /media/images/abc/2048.webp 2048w',
    src: '/media/images/abc/1280.webp',
  });
  expect(imageSources('abc', [320, 500]).src).toBe('/media/images/abc/500.webp');
  expect(() => imageSources('abc', [])).toThrow(RangeError);
});

test('imports nothing, because it is bundled for the browser', () => {
  expect(readFileSync(new URL('sources.ts', import.meta.url), 'utf8')).not.toMatch(/\bimport\b/);
});
