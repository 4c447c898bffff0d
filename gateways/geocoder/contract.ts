import { expect, it } from 'vitest';
import type { Geocoder } from './port.ts';

/** What every geocoder owes. `known` lies in Lebanon, New Hampshire; `unknown` lies nowhere. */
export function geocoderContract(
  open: () => Geocoder,
  { known, unknown }: { known: string; unknown: string },
): void {
  it('finds a place near the address', async () => {
    const place = await open().locate(known);
    expect(place?.latitude).toBeCloseTo(43.64, 0);
    expect(place?.longitude).toBeCloseTo(-72.25, 0);
  });
  it('knows nothing of an address that is none', async () => {
    expect(await open().locate(unknown)).toBeNull();
    expect(await open().locate('')).toBeNull();
  });
}
