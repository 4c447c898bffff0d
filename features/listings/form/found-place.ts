import type { Geocoder } from '#gateways/geocoder/port.ts';
import { oneLine } from '../import/cells.ts';
import type { LocatedAt } from './place.ts';

/** Where an address as it was typed lies, or null where nobody knows it. */
export async function foundPlace(geocoder: Geocoder, typed: string): Promise<LocatedAt | null> {
  const address = oneLine(typed);
  return address.length < 5 ? null : geocoder.locate(address.slice(0, 200));
}
