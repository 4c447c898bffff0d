import type { CtxWith } from '#gateways/ports.ts';
import { cutText } from '#platform/cut-text.ts';
import { oneLine } from '#platform/typed-text.ts';
import type { GeoLocation } from './place.ts';

/** Geocodes a typed address; null if unknown or too short. */
export async function geocodeTypedAddress(
  { geocoder }: CtxWith<'geocoder'>,
  typed: string,
): Promise<GeoLocation | null> {
  const address = oneLine(typed);
  return address.length < 5 ? null : geocoder.locate(cutText(address, 200));
}
