import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { censusGeocoder } from './census-geocoder.ts';
import type { Geocoder } from './port.ts';
import { zipCodeGeocoder } from './zip-code-geocoder.ts';

/** The Census Bureau's geocoder when it is configured, falling back to the centre of the ZIP code. */
export function openGeocoder(config: Pick<Config, 'geocoderUrl'>, log: Log): Geocoder {
  if (!config.geocoderUrl) return zipCodeGeocoder;
  const street = censusGeocoder(config.geocoderUrl);
  return {
    async locate(address) {
      try {
        const found = await street.locate(address);
        if (found) return found;
      } catch (error) {
        log.warn({ err: error }, 'the geocoder gave no answer; the ZIP code has to do');
      }
      return zipCodeGeocoder.locate(address);
    },
  };
}
