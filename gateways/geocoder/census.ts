import { z } from 'zod';
import type { Geocoder } from './port.ts';

/** Longer than this nobody waits for a place on a map. */
export const CENSUS_DEADLINE_MS = 4_000;

// x is the longitude.
const answer = z.object({
  result: z.object({
    addressMatches: z.array(
      z.object({
        coordinates: z.object({ x: z.number().min(-180).max(180), y: z.number().min(-90).max(90) }),
      }),
    ),
  }),
});

/** The geocoder of the Census Bureau does not answer, or not as it should. */
export class GeocoderFailed extends Error {
  override readonly name = 'GeocoderFailed';
}

/**
 * The geocoder of the Census Bureau: interpolates along a street's side, needs no key.
 * @param base 'https://geocoding.geo.census.gov/geocoder'
 * @throws GeocoderFailed (by `locate`) when it does not answer in time or at all
 */
export const census = (base: string, deadlineMs = CENSUS_DEADLINE_MS): Geocoder => ({
  async locate(address) {
    const url = new URL(`${base.replace(/\/+$/, '')}/locations/onelineaddress`);
    url.search = new URLSearchParams({
      address,
      benchmark: 'Public_AR_Current',
      format: 'json',
    }).toString();
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(deadlineMs),
        redirect: 'error',
        headers: { accept: 'application/json' },
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const [match] = answer.parse(await response.json()).result.addressMatches;
      if (!match) return null;
      const { x, y } = match.coordinates;
      return { latitude: round(y), longitude: round(x), precision: 'street' };
    } catch (error) {
      throw new GeocoderFailed('The Census geocoder gave no usable answer', { cause: error });
    }
  },
});

/** To a metre or so. */
const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
