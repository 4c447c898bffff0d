import { expect, it } from 'vitest';
import type { Geocoder } from './port.ts';

/** Contract tests for every geocoder. `known` is an address in Lebanon, New Hampshire; `unknown` does not exist. */
export function geocoderContract(
  open: () => Geocoder,
  { known, unknown }: { known: string; unknown: string },
): void {
  it('finds a place near the address', async () => {
    const place = await open().locate(known);
    expect(place?.latitude).toBeCloseTo(43.64, 0);
    expect(place?.longitude).toBeCloseTo(-72.25, 0);
  });
  it('returns null for something that is not an address', async () => {
    expect(await open().locate(unknown)).toBeNull();
    expect(await open().locate('')).toBeNull();
  });
}
