import { describe, expect, it } from 'vitest';
import { geocoderContract } from './contract.ts';
import { zipCentres, zipOf } from './zips.ts';

describe('the centres of ZIP codes', () => {
  geocoderContract(() => zipCentres, {
    known: '1 Main St, Lebanon, NH 03766',
    unknown: '1 Main St, Nowhere',
  });

  it('has the code itself, or the region that it begins like', async () => {
    expect(await zipCentres.locate('27 Heron Way, Hood River, OR 97031')).toEqual({
      latitude: expect.closeTo(45.61, 1),
      longitude: expect.closeTo(-121.6, 1),
      precision: 'zip',
    });
    // The White House has a ZIP code without an area.
    expect(await zipCentres.locate('1600 Pennsylvania Avenue, Washington, DC 20500')).toEqual({
      latitude: expect.closeTo(38.9, 0),
      longitude: expect.closeTo(-77, 0),
      precision: 'zip3',
    });
    expect(await zipCentres.locate('1 Nowhere Road, OR 00000')).toBeNull();
  });

  it('reads the code at the end alone', () => {
    expect(zipOf('27 Heron Way, Hood River, OR 97031-1234')).toBe('97031');
    expect(zipOf('27 Heron Way, Hood River, OR 97031, USA')).toBe('97031');
    expect(zipOf('12345 Heron Way, Hood River')).toBeNull();
    expect(zipOf('27 Heron Way, OR 123456')).toBeNull();
  });
});
