import { describe, expect, it } from 'vitest';
import { geocoderContract } from './contract.ts';
import { zipCodeGeocoder, zipCodeOf } from './zip-code-geocoder.ts';

describe('the centres of ZIP codes', () => {
  geocoderContract(() => zipCodeGeocoder, {
    known: '1 Main St, Lebanon, NH 03766',
    unknown: '1 Main St, Nowhere',
  });

  it('finds the ZIP code itself, or else its three-digit prefix', async () => {
    expect(await zipCodeGeocoder.locate('27 Heron Way, Hood River, OR 97031')).toEqual({
      latitude: expect.closeTo(45.61, 1),
      longitude: expect.closeTo(-121.6, 1),
      precision: 'zip',
    });
    // The White House has a ZIP code without an area.
    expect(await zipCodeGeocoder.locate('1600 Pennsylvania Avenue, Washington, DC 20500')).toEqual({
      latitude: expect.closeTo(38.9, 0),
      longitude: expect.closeTo(-77, 0),
      precision: 'zip3',
    });
    expect(await zipCodeGeocoder.locate('1 Nowhere Road, OR 00000')).toBeNull();
  });

  it('reads the ZIP code only at the end', () => {
    expect(zipCodeOf('27 Heron Way, Hood River, OR 97031-1234')).toBe('97031');
    expect(zipCodeOf('27 Heron Way, Hood River, OR 97031, USA')).toBe('97031');
    expect(zipCodeOf('12345 Heron Way, Hood River')).toBeNull();
    expect(zipCodeOf('27 Heron Way, OR 123456')).toBeNull();
  });
});
