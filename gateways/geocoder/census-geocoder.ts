import { z } from 'zod';
import type { Geocoder } from './port.ts';

const CENSUS_TIMEOUT_MS = 4_000;

// x is the longitude.
const responseSchema = z.object({
  result: z.object({
    addressMatches: z.array(
      z.object({
        coordinates: z.object({ x: z.number().min(-180).max(180), y: z.number().min(-90).max(90) }),
      }),
    ),
  }),
});

/** The Census geocoder did not respond, or its response was invalid. */
class GeocoderFailed extends Error {
  override readonly name = 'GeocoderFailed';
}

/**
 * The Census Bureau's geocoder: interpolates along one side of a street; needs no API key.
 * @param base 'https://geocoding.geo.census.gov/geocoder'
 * @throws GeocoderFailed (from `locate`) on errors and timeouts
 */
export const censusGeocoder = (base: string, timeoutMs = CENSUS_TIMEOUT_MS): Geocoder => ({
  async locate(address) {
    const url = new URL(`${base.replace(/\/+$/, '')}/locations/onelineaddress`);
    url.search = new URLSearchParams({
      address,
      benchmark: 'Public_AR_Current',
      format: 'json',
    }).toString();
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
        headers: { accept: 'application/json' },
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const [match] = responseSchema.parse(await response.json()).result.addressMatches;
      if (!match) return null;
      const { x, y } = match.coordinates;
      return { latitude: round(y), longitude: round(x), precision: 'street' };
    } catch (error) {
      throw new GeocoderFailed('The Census geocoder gave no usable answer', { cause: error });
    }
  },
});

/** To about a metre. */
const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
