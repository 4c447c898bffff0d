import { PMTiles, TileType } from 'pmtiles';
import { expect, it } from 'vitest';
import { serveRanges, worldOfWater } from './pmtiles.ts';

it('a generated file is read by ranges, as the map reads it', async () => {
  const { url, server } = await serveRanges(worldOfWater());
  try {
    const archive = new PMTiles(url);
    expect(await archive.getHeader()).toMatchObject({ tileType: TileType.Mvt, minZoom: 0, maxZoom: 0 });
    const tile = await archive.getZxy(0, 0, 0);
    expect(Buffer.from(tile?.data ?? new ArrayBuffer(0)).toString('latin1')).toContain('water');
    expect(await archive.getZxy(1, 0, 0)).toBeUndefined();
  } finally {
    server.close();
  }
});
