import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { census } from './census.ts';
import type { Geocoder } from './port.ts';
import { zipCentres } from './zips.ts';

/** The Census Bureau's geocoder when it is configured; what it does not find or answer, the centre of the ZIP code stands for. */
export function openGeocoder(config: Pick<Config, 'geocoderUrl'>, log: Log): Geocoder {
  if (!config.geocoderUrl) return zipCentres;
  const street = census(config.geocoderUrl);
  return {
    async locate(address) {
      try {
        const found = await street.locate(address);
        if (found) return found;
      } catch (error) {
        log.warn({ err: error }, 'the geocoder gave no answer; the ZIP code has to do');
      }
      return zipCentres.locate(address);
    },
  };
}
