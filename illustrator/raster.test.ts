import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { illustrate } from './illustrate.ts';
import { rasterise } from './raster.ts';

describe('rasterise', () => {
  const svg = illustrate('Single Family', 2, 'exterior');

  it('renders an Open Graph picture', async () => {
    const { format, width, height } = await sharp(await rasterise(svg, 1200, 630)).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 });
  });

  it('paints sky above and grass below', async () => {
    const { data, info } = await sharp(await rasterise(svg, 60, 40, 'png'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
    ];
    expect(at(2, 1)).not.toEqual(at(2, 38));
    expect(new Set(Array.from({ length: 60 }, (_, x) => at(x, 25).join())).size).toBeGreaterThan(10);
  });
});
